import type { FastifyReply } from 'fastify';
import { html } from '../../core/html.ts';
import type { Language } from '../../core/locale.ts';
import { sendPage } from '../../http/page.ts';

interface PrivacyText {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** What users of a publisher's bot are told about their data. docs/privacy.md has the same text, a test compares both. */
export const PRIVACY: Readonly<Record<Language, PrivacyText>> = {
  ru: {
    title: 'Какие данные мы храним',
    paragraphs: [
      'Вы пришли из бота, который показывает задания Sponsorgate: подписки на каналы, группы и боты. Владелец бота получает за них вознаграждение. Чтобы деньги получали за живых людей, мы храним о вас немного данных.',
      'От бота: ваш номер в Telegram, язык, наличие Premium и признаки имени (есть ли оно, какими буквами написано, похоже ли на случайное). Само имя и username мы не храним.',
      'По ссылке через нас или в нашем мини-приложении: страна и город по адресу сети, тип устройства и система. Адрес мы не храним и не пишем в журнал. Эти сведения удаляются через 90 дней.',
      'Отметка устройства: если вас об этом предупредили или вы открыли наше мини-приложение, мы сохраняем зашифрованный отпечаток адреса сети, а после проверки — и случайного числа на вашем устройстве. Из отпечатка нельзя получить адрес. Ключ меняется каждый месяц, отметка удаляется через два месяца. По отметкам видно только, что с одного устройства пришло много аккаунтов.',
      'Проверка «я человек»: мы храним ваш номер и время, когда вы её прошли. Проверку можно не проходить: доступ в бот от неё не зависит.',
      'Подписки: в каких каналах из заданий вы состоите и когда вступили или вышли, сколько подтверждений было отклонено за день. По этим данным мы замечаем накрутку: засчитать ли подписку, решает программа, забрать уже выплаченное вознаграждение может только человек. Причины подозрения удаляются через 90 дней после последнего наблюдения, а проверка оператора, где ваш номер служит примером, — через 400 дней после решения.',
      'Мы не продаём данные и не передаём их рекламодателям: они видят только числа. Чтобы узнать, что о вас хранится, или удалить это, напишите в поддержку и назовите свой номер в Telegram.',
    ],
  },
  en: {
    title: 'What data we store',
    paragraphs: [
      'You come from a bot that shows tasks of Sponsorgate: subscriptions to channels, groups and bots. The owner of the bot earns a reward for them. We store a little data about you, so that rewards are paid for real people.',
      'From the bot: your Telegram number, your language, whether you have Premium, and properties of your name (whether there is one, which letters it has, whether it looks random). We do not store the name or the username.',
      'From a link through us, or from our Mini App: country and city by your network address, device type and system. We do not store or log the address. These values are deleted after 90 days.',
      'Device mark: if you were told about it, or opened our Mini App, we store a keyed hash of your network address, and after the check of a random number on your device. The address cannot be computed from it. The key changes every month, and a mark is deleted after two months. Marks only show that many accounts came from one device.',
      'The check “I am a person”: we store your number and the time when you passed it. You need not pass it: access to the bot does not depend on it.',
      'Subscriptions: in which channels of tasks you are a member, when you joined or left, and how many confirmations were refused per day. We notice fraud by this data: a program decides whether a subscription counts, and only a person can take back a reward that was paid. Reasons for a suspicion are deleted 90 days after they were last observed, and an operator’s case in which your number is an example 400 days after its decision.',
      'We do not sell the data and do not give it to advertisers: they see only numbers. To learn what is stored about you, or to have it deleted, write to support with your Telegram number.',
    ],
  },
};

export function sendPrivacyPage(reply: FastifyReply, language: Language): FastifyReply {
  const { title, paragraphs } = PRIVACY[language];
  return sendPage(reply, { language, title, body: html`${paragraphs.map((text) => html`<p>${text}</p>`)}` });
}
