import { html, lines } from '../../../core/html.ts';
import type { FilterKey } from '../../../modules/targeting/index.ts';
import type { Words } from './words.ts';

const BY_LISTS = 'Нажимайте кнопки или напишите через запятую.';

/** The audience of an order: 24 filters in six categories. */
export const filtersRu = {
  title: html`👥 <b>Аудитория</b>`,
  intro: html`Кому показывать заказ. Если о пользователе что-то неизвестно, заказ ему показывают.`,
  everybody: html`Пока подходят все.`,
  chooseFilter: html`Множитель (например, ×1,2) повышает цену подписки.`,
  apply: '✅ Применить',
  applied: 'Фильтры применены.',
  notApplied: 'Изменения не применены.',
  reset: '🧹 Сбросить фильтр',
  resetAll: '🧹 Сбросить всё',
  now: (p: { value: string }) => html`Сейчас: <b>${p.value}</b>`,
  effect: {
    draft: (p: { price: string; charge: string; count: string; total: string }) =>
      lines(
        html`💵 Подписка: <b>${p.charge}</b> (базовая цена ${p.price})`,
        html`🧾 Весь заказ, ${p.count} подписчиков: <b>${p.total}</b>`,
      ),
    order: (p: Words<'before' | 'charge' | 'affordable' | 'left'> & { isChanged: boolean; isShort: boolean }) =>
      lines(
        p.isChanged
          ? html`💵 Подписка: сейчас ${p.before}, станет <b>${p.charge}</b>`
          : html`💵 Подписка: <b>${p.charge}</b>`,
        html`🧾 Денег заказа хватит ещё на <b>${p.affordable}</b> из ${p.left} подписчиков`,
      ),
    known: (p: { name: string; known: string; unknown: string }) =>
      html`❔ ${p.name}: известно о ${p.known}, неизвестно о ${p.unknown}`,
    mostlyUnknown: (p: { names: string }) =>
      html`⚠️ У большинства из них это неизвестно: <b>${p.names}</b>. Фильтр таких пользователей не отсеивает.`,
    unknownCharge: (p: { isBase: boolean; base: string; full: string }) =>
      p.isBase
        ? html`Неизвестным заказ тоже показывают. Множитель фильтра берётся, только если значение известно: подписка стоит от ${p.base} до ${p.full}.`
        : html`Неизвестным заказ тоже показывают, и подписка стоит столько же: <b>${p.full}</b>, с полным множителем.`,
    nobodyKnown: html`👁 Мы пока не знаем ни одного пользователя: оценить аудиторию не по кому`,
    audience: (p: { matching: string; known: string; isExact: boolean }) =>
      html`👁 Подходят ${p.isExact ? '' : 'примерно '}<b>${p.matching}</b> из ${p.known} известных пользователей`,
  },
  confirm: (
    p: Words<'before' | 'charge' | 'affordable' | 'left'> & {
      orderId: number;
      chosen: readonly string[];
      isShort: boolean;
    },
  ) =>
    lines(
      html`Применить фильтры к заказу №${p.orderId}?\n`,
      ...(p.chosen.length === 0 ? [html`Подходят все.`] : p.chosen.map((line) => html`✅ ${line}`)),
      html``,
      html`💵 Подписка: была ${p.before}, станет <b>${p.charge}</b>`,
      p.isShort
        ? html`⚠️ Денег заказа хватит на <b>${p.affordable}</b> из ${p.left} оставшихся подписчиков. Уберите часть фильтров или докупите.`
        : html`🧾 Денег заказа хватит на всех оставшихся: ${p.left}.`,
      html`Тех, кому заказ уже показан, новая цена не касается.`,
    ),
  wrong: {
    unknown: (p: { words: string }) => `Не понял: ${p.words}. Проверьте, как написано, и попробуйте ещё раз.`,
    tooMany: (p: { most: string }) => `Слишком много: не больше ${p.most}.`,
    outOfRange: (p: { least: string; most: string }) => `Нужно число от ${p.least} до ${p.most}.`,
  },
  hints: {
    languages: 'На каких языках у пользователя Telegram.',
    countries: 'Из каких стран пользователь. Известно о тех, кто проходил по нашим ссылкам.',
    cities: 'Из каких городов пользователь. Известно о тех, кто проходил по нашим ссылкам.',
    age: 'Сколько пользователю лет, если он указал год рождения.',
    gender: 'Определяется по имени.',
    account_age_years: 'Сколько лет аккаунту, не меньше.',
    device_types: 'С какого устройства пользователь.',
    os: 'Какая у пользователя система.',
    premium: 'Есть ли у пользователя Telegram Premium.',
    has_photo: 'Есть ли в профиле фотография.',
    real_photo: 'Похоже ли, что на фото сам пользователь: у него их несколько.',
    has_name: 'Указано ли имя.',
    has_username: 'Есть ли публичное имя @username.',
    has_bio: 'Заполнено ли «О себе».',
    has_audio: 'Есть ли в профиле музыка или голос.',
    russian_name: 'Русское ли имя у пользователя.',
    cyrillic_name: 'Есть ли в имени кириллица.',
    rating: 'Уровень рейтинга Telegram, не ниже.',
    gifts: 'Сколько в профиле подарков, не меньше.',
    chat_context: 'Где пользователь видит задание: в личном чате с ботом или в группе.',
    fresh_days: 'Сколько дней мы знаем пользователя, не больше.',
    min_quality: 'Оценка качества бота, который показывает задание, не ниже. Боты без оценки показывают его тоже.',
    scored_source: 'Показывать ли задание только в ботах, у которых уже есть оценка качества. «Нет» — только в новых.',
    human_checked: 'Прошёл ли пользователь нашу проверку «я человек». Таких немного: аудитория будет небольшой.',
  } satisfies Record<FilterKey, string>,
  typing: {
    languages: `${BY_LISTS} Например: русский, en, pt-br.`,
    countries: `${BY_LISTS} Например: Россия, KZ, Германия.`,
    cities: `${BY_LISTS} Например: Москва, Казань.`,
    age: 'Выберите или напишите, например: 18-35, от 18, до 40.',
    account_age_years: 'Выберите число лет или напишите его.',
    rating: 'Выберите уровень или напишите его.',
    gifts: 'Выберите или напишите число от 1 до 100.',
    fresh_days: 'Выберите или напишите число дней от 1 до 365.',
    min_quality: 'Выберите или напишите оценку от 1 до 100.',
  } as Partial<Record<FilterKey, string>>,
};
