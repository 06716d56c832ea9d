/** Buttons of every area, and messages that are sent before an area is reached. */
export const commonRu = {
  common: {
    back: '⬅️ Назад',
    home: '🏠 В меню',
    cancel: '✖️ Отмена',
    yes: '✅ Да',
    no: '✖️ Нет',
    on: 'вкл.',
    off: 'выкл.',
    nothing: 'Пока ничего нет.',
    copy: '📋 Скопировать',
    next: 'Дальше ➡️',
    skip: 'Пропустить',
    refresh: '🔄 Обновить',
    done: 'Готово.',
    wrongCount: ({ min, max }: { min: string; max: string }) => `Нужно целое число от ${min} до ${max}.`,
    tooLong: ({ most }: { most: string }) => `Слишком длинно: не больше ${most} символов.`,
  },
  access: {
    onlyPrivate: 'Я работаю только в личных сообщениях: откройте чат со мной.',
    tooFast: 'Слишком быстро. Подождите немного и продолжайте.',
    failed: 'Что-то пошло не так. Попробуйте ещё раз чуть позже.',
    flood: ({ seconds }: { seconds: number }) =>
      `Telegram просит подождать ${seconds} с, экран не обновился. Нажмите ещё раз после этого.`,
    stale: 'Эта кнопка устарела, вот меню.',
    banned: 'Ваш счёт заблокирован оператором. Если это ошибка, напишите в поддержку.',
  },
};
