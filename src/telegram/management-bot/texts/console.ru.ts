import { html, lines } from '../../../core/html.ts';

export const consoleRu = {
  open: '🖥 Веб-кабинет',
  page: (p: { devices: string }) =>
    lines(
      html`🖥 <b>Веб-кабинет</b>\n`,
      html`Графики, боты, заказы, ссылки, вебхуки и выгрузка в CSV – в браузере. Пароля нет: вход по ссылке.\n`,
      html`⚠️ Ссылка ниже – ваш ключ: работает один раз и 5 минут. Никому её не пересылайте.\n`,
      html`Открыто сеансов: <b>${p.devices}</b>`,
    ),
  enter: '➡️ Войти в кабинет',
  address: (p: { url: string }) => html`<code>${p.url}</code>`,
  another: '🔄 Новая ссылка',
  endAll: '🚪 Выйти на всех устройствах',
  confirm: html`Завершить все сеансы веб-кабинета?`,
  ended: 'Все сеансы завершены.',
};
