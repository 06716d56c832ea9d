import { html } from '../../../core/html.ts';
import { type Language, languageFor } from '../../../core/locale.ts';
import type { Bot } from '../context.ts';

const EN = {
  help: html`I create bots and manage their tokens. This is the sandbox's BotFather: its bots exist only here.

/newbot - create a bot
/mybots - your bots and their settings
/token - show a bot's token
/revoke - replace a bot's token
/setname - change a bot's name
/setdescription - change the text in an empty chat with a bot
/setabouttext - change the text on a bot's profile
/setcommands - change the list of a bot's commands
/cancel - cancel the current command`,
  notUnderstood: html`I don't understand this. Send /help for the list of commands.`,
  askName: html`Let's create a bot. Send me its name.`,
  badName: html`A name has 1 to 64 characters. Please send another one.`,
  askUsername: html`Good. Now send me its username. It must end in <code>bot</code>, for example <code>films_bot</code>.`,
  badUsername: html`A username has 5 to 32 Latin letters, digits and underscores, begins with a letter and ends in <code>bot</code>. Please send another one.`,
  takenUsername: html`This username is taken. Please send another one.`,
  tooMany: (most: number) => html`You have ${most} bots already. That is the limit.`,
  created: ({ username, token }: Bot) => html`Done! Your new bot is t.me/${username}. Use this token to access the API:
<code>${token}</code>

Keep the token secret: anyone who has it controls your bot.`,
  noBots: html`You have no bots yet. Create one with /newbot.`,
  chooseBot: html`Choose a bot.`,
  wrongBot: html`This is not one of your bots. Choose a bot from the list, or send /cancel.`,
  token: ({ username, token }: Bot) => html`The token of @${username}:
<code>${token}</code>`,
  revoked: ({ username, token }: Bot) => html`The old token of @${username} no longer works. The new one:
<code>${token}</code>`,
  askNewName: html`Send me the new name of the bot.`,
  askDescription: html`Send me the new description, up to 512 characters. People see it before they start the bot.`,
  askAbout: html`Send me the new text for the bot's profile, up to 120 characters.`,
  askCommands: html`Send me the list of commands, one per line:

<code>start - Begin
help - Show help</code>`,
  tooLong: (most: number) => html`The text is too long: ${most} characters at most. Please send another one.`,
  badCommands: html`Each line needs a command of lower-case Latin letters, digits and underscores, a hyphen and a description. Please send the list again.`,
  changed: ({ username }: Bot) => html`Done: @${username} is changed. /help`,
  bot: ({ title, username }: Bot) => html`<b>${title}</b> @${username}
What do you want to do with the bot?`,
  showToken: 'API token',
  revoke: 'Revoke the token',
  rename: 'Edit the name',
  back: '« Back to the list of bots',
  cancelled: html`The command is cancelled. /help`,
  nothingToCancel: html`There is no command to cancel. /help`,
};

export type BotFatherTexts = typeof EN;

const RU: BotFatherTexts = {
  help: html`Я создаю ботов и управляю их токенами. Это BotFather песочницы: его боты существуют только здесь.

/newbot - создать бота
/mybots - ваши боты и их настройки
/token - показать токен бота
/revoke - заменить токен бота
/setname - изменить имя бота
/setdescription - изменить текст в пустом чате с ботом
/setabouttext - изменить текст в профиле бота
/setcommands - изменить список команд бота
/cancel - отменить текущую команду`,
  notUnderstood: html`Не понимаю. Отправьте /help, чтобы увидеть список команд.`,
  askName: html`Создадим бота. Отправьте его имя.`,
  badName: html`В имени от 1 до 64 символов. Отправьте другое.`,
  askUsername: html`Хорошо. Теперь отправьте юзернейм. Он должен заканчиваться на <code>bot</code>, например <code>films_bot</code>.`,
  badUsername: html`Юзернейм состоит из 5–32 латинских букв, цифр и подчёркиваний, начинается с буквы и заканчивается на <code>bot</code>. Отправьте другой.`,
  takenUsername: html`Этот юзернейм занят. Отправьте другой.`,
  tooMany: (most) => html`У вас уже ${most} ботов. Это предел.`,
  created: ({ username, token }) => html`Готово! Ваш новый бот: t.me/${username}. Токен для доступа к API:
<code>${token}</code>

Храните токен в секрете: любой, у кого он есть, управляет вашим ботом.`,
  noBots: html`У вас пока нет ботов. Создайте первого: /newbot.`,
  chooseBot: html`Выберите бота.`,
  wrongBot: html`Это не ваш бот. Выберите бота из списка или отправьте /cancel.`,
  token: ({ username, token }) => html`Токен @${username}:
<code>${token}</code>`,
  revoked: ({ username, token }) => html`Старый токен @${username} больше не работает. Новый:
<code>${token}</code>`,
  askNewName: html`Отправьте новое имя бота.`,
  askDescription: html`Отправьте новое описание, до 512 символов. Его видят до запуска бота.`,
  askAbout: html`Отправьте новый текст для профиля бота, до 120 символов.`,
  askCommands: html`Отправьте список команд, по одной в строке:

<code>start - Начать
help - Показать справку</code>`,
  tooLong: (most) => html`Текст слишком длинный: не больше ${most} символов. Отправьте другой.`,
  badCommands: html`В каждой строке нужны команда из строчных латинских букв, цифр и подчёркиваний, дефис и описание. Отправьте список ещё раз.`,
  changed: ({ username }) => html`Готово: @${username} изменён. /help`,
  bot: ({ title, username }) => html`<b>${title}</b> @${username}
Что сделать с ботом?`,
  showToken: 'Токен API',
  revoke: 'Отозвать токен',
  rename: 'Изменить имя',
  back: '« К списку ботов',
  cancelled: html`Команда отменена. /help`,
  nothingToCancel: html`Отменять нечего. /help`,
};

const TEXTS: Readonly<Record<Language, BotFatherTexts>> = { en: EN, ru: RU };

export const botFatherTextsFor = (languageCode: string | null): BotFatherTexts =>
  TEXTS[languageFor(languageCode ?? undefined)];
