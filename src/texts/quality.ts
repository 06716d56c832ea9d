import type { Language } from '../core/locale.ts';

/** The figures of a reason or a signal, as the scoring stored them. */
export type Figures = Readonly<Record<string, number>>;
type Sentence = (figures: Figures) => string;

const of = (figures: Figures, key: string): string => String(figures[key] ?? 0);
/** Returns a share in percent. */
const share = (figures: Figures, part: string, whole: string): string => {
  const total = figures[whole] ?? 0;
  return `${total > 0 ? Math.round((100 * (figures[part] ?? 0)) / total) : 0} %`;
};

interface QualityTexts {
  readonly title: string;
  readonly levels: Readonly<Record<'new' | 'good' | 'watched' | 'low', string>>;
  /** What a level means for the publisher. */
  readonly effects: {
    readonly good: string;
    readonly watched: (hours: number) => string;
    readonly low: (hours: number, percent: number) => string;
  };
  readonly score: (score: number) => string;
  readonly noScore: string;
  readonly setByOperator: (reason: string) => string;
  readonly reasonsTitle: string;
  readonly adviceTitle: string;
  /** One sentence per reason, by code. */
  readonly reasons: Readonly<Record<string, Sentence>>;
  /** What would raise the score, by code. */
  readonly advice: Readonly<Record<string, string>>;
  /** One sentence per signal of a user, by signal. */
  readonly signals: Readonly<Record<string, Sentence>>;
}

const ru: QualityTexts = {
  title: 'Качество источника',
  levels: { new: 'новый', good: 'хорошее', watched: 'под наблюдением', low: 'низкое' },
  effects: {
    good: 'Ограничений нет.',
    watched: (hours) => `Холд новых подписок — не меньше ${hours} ч, часть подписок проверяется после окна.`,
    low: (hours, percent) =>
      `Холд новых подписок — не меньше ${hours} ч, бот выполняет не больше ${percent} % каждого заказа, часть подписок проверяется после окна.`,
  },
  score: (score) => `${score} из 100`,
  noScore: 'оценки ещё нет',
  setByOperator: (reason) => `Уровень установил оператор: ${reason}`,
  reasonsTitle: 'Что снижает оценку',
  adviceTitle: 'Что её повысит',
  reasons: {
    suspicious_users: (f) =>
      `${of(f, 'suspicious')} из ${of(f, 'users')} пользователей подозрительны (${share(f, 'suspicious', 'users')}, обычно ${of(f, 'market')} %).`,
    early_leaves: (f) =>
      `${of(f, 'left')} из ${of(f, 'of')} подписчиков ушли на второй или третий день или сразу после окна (${share(f, 'left', 'of')}, обычно ${of(f, 'market')} %).`,
    connected_revenue: (f) => `${of(f, 'share')} % дохода приходит от аккаунтов, связанных с владельцем бота.`,
    one_advertiser: (f) =>
      `${of(f, 'share')} % дохода платит один рекламодатель, и ${of(f, 'spending')} % его расходов идут этому боту.`,
    same_users: (f) =>
      `Только ${of(f, 'once')} из ${of(f, 'users')} пользователей приходили один раз (${share(f, 'once', 'users')}, обычно ${of(f, 'market')} %): подписываются одни и те же аккаунты.`,
    too_steady: (f) =>
      `За три дня ушли лишь ${of(f, 'left')} % подписчиков (обычно ${of(f, 'market_left')} %), и лишь ${of(f, 'occasional')} % пользователей подписались один-два раза (обычно ${of(f, 'market_occasional')} %): так ведут себя фермы аккаунтов, а не люди.`,
    shared_devices: (f) =>
      `${of(f, 'sharing')} из ${of(f, 'known')} пользователей, чьё устройство известно, делят его с другими пользователями бота.`,
    closed_circle: (f) =>
      `${of(f, 'shared')} из ${of(f, 'users')} пользователей подписываются и через боты других владельцев (${share(f, 'shared', 'users')}, обычно ${of(f, 'market')} %) и приходят день за днём.`,
    staying: (f) =>
      `Через ${of(f, 'days')} дн. остаются ${of(f, 'stayed')} % подписчиков из ${of(f, 'of')}, обычно ${of(f, 'market')} %.`,
    never_leaves: (f) =>
      `В первый день ушли ${of(f, 'left')} из ${of(f, 'of')} подписчиков, обычно уходят ${of(f, 'market')} %.`,
    conversion: (f) =>
      `Конверсия ${of(f, 'conversion')} % из ${of(f, 'shown')} показов, обычно ${of(f, 'market')} %: люди не выполняют почти все задания.`,
    even_hours: (f) =>
      `${of(f, 'subscriptions')} подписок почти поровну распределены по часам суток: люди спят, программы — нет.`,
    bursts: (f) => `${of(f, 'burst')} из ${of(f, 'subscriptions')} подписок пришли за несколько часов.`,
    owner_overlap: (f) =>
      `${of(f, 'overlapping')} из ${of(f, 'users')} пользователей пришли и через другие боты владельца (всего ботов: ${of(f, 'bots')}).`,
    refused_confirms: (f) =>
      `${of(f, 'refused')} из ${of(f, 'of')} подтверждений не засчитаны (${share(f, 'refused', 'of')}, обычно ${of(f, 'market')} %).`,
    few_users: (f) => `${of(f, 'subscriptions')} подписок сделали всего ${of(f, 'users')} пользователей.`,
  },
  advice: {
    suspicious_users:
      'Не покупайте пользователей и не платите за регистрацию аккаунтов: оценка растёт с каждым обычным пользователем.',
    early_leaves: 'Объясните пользователям, что отписка отнимает награду, и не обещайте доступ только на день.',
    connected_revenue: 'Исключите в настройках бота заказы своих и связанных аккаунтов.',
    one_advertiser: 'Не исключайте заказы других рекламодателей.',
    same_users: 'Приводите новых пользователей: одни и те же люди не могут быть новыми подписчиками каждый день.',
    too_steady: 'Приводите новых людей: настоящая аудитория растёт и меняется.',
    shared_devices:
      'Не ведите несколько аккаунтов с одного устройства: оценка растёт с каждым пользователем со своим телефоном.',
    closed_circle: 'Приводите людей, которые не выполняют задания в других ботах.',
    staying: 'Показывайте меньше заданий за раз и исключите заказы, от которых ваши пользователи отписываются.',
    never_leaves: 'Обычная аудитория иногда отписывается: оценка вырастет, когда придут обычные пользователи.',
    conversion: 'Показывайте задания всем пользователям, а не только тем, кто точно подпишется.',
    even_hours: 'Оценка вырастет, когда подписки станут приходить от людей, то есть больше днём и меньше ночью.',
    bursts: 'Распределите рассылки по времени.',
    owner_overlap: 'Показывайте задания в одном боте тем, кто пользуется несколькими вашими ботами.',
    refused_confirms: 'Не подтверждайте задания пользователей, которые уже были подписаны.',
    few_users: 'Показывайте задания новым пользователям: тысячи подписок от нескольких людей не нужны рекламодателям.',
  },
  signals: {
    registered_together: (f) =>
      `Рядом с этим аккаунтом (в пределах ${of(f, 'within')} id) ещё ${of(f, 'neighbours')} пользователей того же бота: их зарегистрировали вместе.`,
    young_account: (f) => `Аккаунту, судя по id, меньше ${of(f, 'days')} дней.`,
    generated_name: () => 'Имя или username похожи на созданные программой.',
    instant_join: (f) =>
      `${of(f, 'instant')} из ${of(f, 'of')} подписок сделаны быстрее ${of(f, 'seconds')} с после показа.`,
    many_subscriptions: (f) => `До ${of(f, 'hour')} подписок за час и до ${of(f, 'day')} за день.`,
    left_after_window: (f) => `Из ${of(f, 'of')} подписок ${of(f, 'left')} закончились сразу после окна.`,
    subscribes_everywhere: (f) => `${of(f, 'subscriptions')} подписок за 30 дней через ${of(f, 'bots')} ботов.`,
    same_channels: (f) =>
      `Почти тот же набор из ${of(f, 'subscriptions')} каналов у ещё ${of(f, 'users')} пользователей нескольких ботов.`,
    language_country: () => 'Язык Telegram необычен для страны.',
    shared_device: (f) => `За одним устройством ${of(f, 'users')} пользователей.`,
    shared_address: (f) => `За одним адресом ${of(f, 'users')} пользователей.`,
    refused_confirms: (f) => `${of(f, 'refused')} из ${of(f, 'of')} подтверждений не засчитаны.`,
  },
};

const en: QualityTexts = {
  title: 'Quality of the source',
  levels: { new: 'new', good: 'good', watched: 'watched', low: 'low' },
  effects: {
    good: 'No limits apply.',
    watched: (hours) =>
      `New subscriptions stay in hold for at least ${hours} h, and some are checked again after the window.`,
    low: (hours, percent) =>
      `New subscriptions stay in hold for at least ${hours} h, the bot fills at most ${percent} % of each order, and some subscriptions are checked again after the window.`,
  },
  score: (score) => `${score} of 100`,
  noScore: 'no score yet',
  setByOperator: (reason) => `An operator set the level: ${reason}`,
  reasonsTitle: 'What lowers the score',
  adviceTitle: 'What would raise it',
  reasons: {
    suspicious_users: (f) =>
      `${of(f, 'suspicious')} of ${of(f, 'users')} users are suspicious (${share(f, 'suspicious', 'users')}; usual: ${of(f, 'market')} %).`,
    early_leaves: (f) =>
      `${of(f, 'left')} of ${of(f, 'of')} subscribers left on the second or third day or right after the window (${share(f, 'left', 'of')}; usual: ${of(f, 'market')} %).`,
    connected_revenue: (f) => `${of(f, 'share')} % of the revenue comes from accounts connected to the bot's owner.`,
    one_advertiser: (f) =>
      `One advertiser pays ${of(f, 'share')} % of the revenue, and ${of(f, 'spending')} % of that advertiser's spending goes to this bot.`,
    same_users: (f) =>
      `Only ${of(f, 'once')} of ${of(f, 'users')} users came once (${share(f, 'once', 'users')}; usual: ${of(f, 'market')} %): the same accounts subscribe again and again.`,
    too_steady: (f) =>
      `Only ${of(f, 'left')} % of the subscribers left within three days (usual: ${of(f, 'market_left')} %), and only ${of(f, 'occasional')} % of the users subscribed once or twice (usual: ${of(f, 'market_occasional')} %): farms of accounts behave like this, people do not.`,
    shared_devices: (f) =>
      `${of(f, 'sharing')} of ${of(f, 'known')} users whose device is known share it with other users of the bot.`,
    closed_circle: (f) =>
      `${of(f, 'shared')} of ${of(f, 'users')} users also subscribe through bots of other owners (${share(f, 'shared', 'users')}; usual: ${of(f, 'market')} %), and they come back day after day.`,
    staying: (f) =>
      `After ${of(f, 'days')} days ${of(f, 'stayed')} % of ${of(f, 'of')} subscribers are still there; usual: ${of(f, 'market')} %.`,
    never_leaves: (f) =>
      `${of(f, 'left')} of ${of(f, 'of')} subscribers left on the first day; usual: ${of(f, 'market')} %.`,
    conversion: (f) =>
      `The conversion is ${of(f, 'conversion')} % of ${of(f, 'shown')} shown tasks; usual: ${of(f, 'market')} %. People do not do nearly every task.`,
    even_hours: (f) =>
      `${of(f, 'subscriptions')} subscriptions are spread almost evenly over the hours of the day: people sleep, programs do not.`,
    bursts: (f) => `${of(f, 'burst')} of ${of(f, 'subscriptions')} subscriptions came within a few hours.`,
    owner_overlap: (f) =>
      `${of(f, 'overlapping')} of ${of(f, 'users')} users also came through other bots of the owner (${of(f, 'bots')} bots in all).`,
    refused_confirms: (f) =>
      `${of(f, 'refused')} of ${of(f, 'of')} confirms were not counted (${share(f, 'refused', 'of')}; usual: ${of(f, 'market')} %).`,
    few_users: (f) => `Only ${of(f, 'users')} users made ${of(f, 'subscriptions')} subscriptions.`,
  },
  advice: {
    suspicious_users: 'Do not buy users and do not pay for registered accounts: every ordinary user raises the score.',
    early_leaves: 'Tell users that leaving takes the reward back, and do not promise access for one day only.',
    connected_revenue: "Exclude the orders of your own and connected accounts in the bot's settings.",
    one_advertiser: 'Do not exclude the orders of other advertisers.',
    same_users: 'Bring new users: the same people cannot be new subscribers every day.',
    too_steady: 'Bring new people: a real audience grows and changes.',
    shared_devices: 'Do not run several accounts on one device: every user with a phone of their own raises the score.',
    closed_circle: 'Bring people who do not do the tasks of other bots.',
    staying: 'Show fewer tasks at a time, and exclude orders that your users leave.',
    never_leaves: 'Some people of an ordinary audience leave: the score rises when ordinary users come.',
    conversion: 'Show tasks to all users, not only to those who will certainly subscribe.',
    even_hours: 'The score rises when subscriptions come from people: more by day and fewer at night.',
    bursts: 'Spread your broadcasts over time.',
    owner_overlap: 'Show tasks in one bot only to people who use several of your bots.',
    refused_confirms: 'Do not confirm tasks of users who were subscribed before.',
    few_users: 'Show tasks to new users: advertisers do not need thousands of subscriptions of a few people.',
  },
  signals: {
    registered_together: (f) =>
      `${of(f, 'neighbours')} other users of the same bot have ids within ${of(f, 'within')} of this one: the accounts were registered together.`,
    young_account: (f) => `By its id the account is younger than ${of(f, 'days')} days.`,
    generated_name: () => 'The name or the username looks as if a program made it.',
    instant_join: (f) =>
      `${of(f, 'instant')} of ${of(f, 'of')} subscriptions followed less than ${of(f, 'seconds')} s after the task was shown.`,
    many_subscriptions: (f) => `Up to ${of(f, 'hour')} subscriptions in an hour and ${of(f, 'day')} in a day.`,
    left_after_window: (f) => `${of(f, 'left')} of ${of(f, 'of')} subscriptions ended right after the window.`,
    subscribes_everywhere: (f) => `${of(f, 'subscriptions')} subscriptions in 30 days through ${of(f, 'bots')} bots.`,
    same_channels: (f) =>
      `${of(f, 'users')} other users of several bots have nearly the same ${of(f, 'subscriptions')} channels.`,
    language_country: () => 'The language of Telegram is unusual for the country.',
    shared_device: (f) => `${of(f, 'users')} users are behind one device.`,
    shared_address: (f) => `${of(f, 'users')} users are behind one address.`,
    refused_confirms: (f) => `${of(f, 'refused')} of ${of(f, 'of')} confirms were not counted.`,
  },
};

export const QUALITY_TEXTS: Readonly<Record<Language, QualityTexts>> = { ru, en };

/** Returns the sentence of a reason; an unknown code of a newer version is shown as it is. */
export function explainReason(
  language: Language,
  { code, figures }: { readonly code: string; readonly figures: Figures },
): string {
  return QUALITY_TEXTS[language].reasons[code]?.(figures) ?? code;
}

/** Returns the sentence of a user's signal. */
export function explainSignal(
  language: Language,
  { signal, figures }: { readonly signal: string; readonly figures: Figures },
): string {
  return QUALITY_TEXTS[language].signals[signal]?.(figures) ?? signal;
}

/** A source as the screens show it. */
interface ShownQuality {
  readonly score: number | null;
  readonly level: 'new' | 'good' | 'watched' | 'low';
  readonly reasons: readonly { readonly code: string; readonly figures: Figures }[];
  readonly overrideReason: string | null;
}

interface ShownSettings {
  readonly isOn: boolean;
  readonly watchedHoldSeconds: number;
  readonly lowHoldSeconds: number;
  readonly lowOrderSharePercent: number;
}

/** Returns the score and the level as one line, such as `83 of 100, good`. */
export function qualityLine(language: Language, { score, level }: Pick<ShownQuality, 'score' | 'level'>): string {
  const texts = QUALITY_TEXTS[language];
  return `${score === null ? texts.noScore : texts.score(score)}, ${texts.levels[level]}`;
}

interface DescribedQuality {
  readonly line: string;
  readonly effect: string;
  readonly reasons: readonly string[];
  readonly advice: readonly string[];
}

/**
 * Returns what bot and console tell a publisher about a source: its level, what follows, why, and what would help. A new bot
 * has neither a score nor an operator's level, and while scoring is off no level applies: then there is nothing to tell.
 */
export function describeQuality(
  language: Language,
  quality: ShownQuality | undefined,
  { isOn, watchedHoldSeconds, lowHoldSeconds, lowOrderSharePercent }: ShownSettings,
): DescribedQuality | undefined {
  if (!isOn || quality === undefined || quality.level === 'new') return undefined;
  const { effects, advice, setByOperator } = QUALITY_TEXTS[language];
  const hours = (seconds: number): number => Math.round(seconds / 3600);
  const effect = {
    good: effects.good,
    watched: effects.watched(hours(watchedHoldSeconds)),
    low: effects.low(hours(lowHoldSeconds), lowOrderSharePercent),
  }[quality.level];
  return {
    line: qualityLine(language, quality),
    effect: quality.overrideReason === null ? effect : `${effect} ${setByOperator(quality.overrideReason)}`,
    reasons: quality.reasons.map((reason) => explainReason(language, reason)),
    advice: quality.reasons.flatMap(({ code }) => advice[code] ?? []),
  };
}
