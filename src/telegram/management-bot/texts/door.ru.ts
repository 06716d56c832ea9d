import type { ErrorCode } from '../../../core/errors.ts';

/** Что говорится отовсюду: кнопки, отказы и приветствие у входа. */
export const doorRu = {
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
    wrongAmount: 'Это не похоже на сумму. Напишите число, например 150 или 99,50.',
    wrongCount: ({ min, max }: { min: string; max: string }) => `Нужно целое число от ${min} до ${max}.`,
    tooLong: ({ most }: { most: string }) => `Слишком длинно: не больше ${most} символов.`,
  },
  door: {
    onlyPrivate: 'Я работаю только в личных сообщениях: откройте чат со мной.',
    tooFast: 'Слишком быстро. Подождите немного и продолжайте.',
    failed: 'Что-то пошло не так. Попробуйте ещё раз чуть позже.',
    flood: ({ seconds }: { seconds: number }) =>
      `Telegram просит подождать ${seconds} с, экран не обновился. Нажмите ещё раз после этого.`,
    stale: 'Эта кнопка устарела, вот меню.',
    banned: 'Ваш счёт заблокирован оператором. Если это ошибка, напишите в поддержку.',
  },
  refusals: {
    invalid_token: 'Ваш счёт заблокирован оператором.',
    bot_not_found: 'Такого бота у вас нет.',
    order_not_found: 'Такого заказа у вас нет.',
    account_not_found: 'Такого счёта нет.',
    insufficient_funds: 'На балансе не хватает денег: пополните его.',
    wrong_status: 'В нынешнем статусе это невозможно.',
    conflict: 'Уже занято или уже сделано.',
    request_in_flight: 'Уже выполняется, подождите секунду.',
    idempotency_mismatch: 'Эта кнопка уже нажата для другого запроса: начните заново.',
    telegram_unavailable: 'Telegram сейчас не отвечает. Попробуйте ещё раз.',
    resource_refused: 'Этот ресурс не подходит.',
    validation_failed: 'Проверьте, что вы ввели.',
    too_many_requests: 'Слишком быстро. Подождите немного.',
  } as Partial<Record<ErrorCode, string>>,
};
