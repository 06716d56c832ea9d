/**
 * A bot behind the gate: it shows sponsors to every user first, and lets them in once they have subscribed.
 *
 *   npm start --prefix examples/gated-bot                                              in the sandbox, beside `npm start`
 *   BOT_TOKEN=… SPONSORGATE_TOKEN=at_… SPONSORGATE_URL=https://… npm start --prefix …     live
 */
import { Bot, type Context } from 'grammy';
// In a project of your own: from '@sponsorgate/grammy' and '@sponsorgate/client'.
import { sponsorGate } from '../../clients/grammy/src/index.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import { readSettings } from './settings.ts';

const { botToken, apiRoot, baseUrl, token } = await readSettings();
const bot = new Bot(botToken, { client: { apiRoot } });

// /help is open to all users, so it comes before the gate.
bot.command('help', (ctx) => ctx.reply('I tell jokes. /start to hear one.'));

// The gate. Handlers below it run only for users who have subscribed.
const client = createClient({ baseUrl, token });
bot.use(sponsorGate({ client, onPassed: tellJoke }));

bot.command('start', tellJoke);
bot.callbackQuery('another', async (ctx) => {
  await ctx.answerCallbackQuery();
  await tellJoke(ctx);
});
bot.on('message', (ctx) => ctx.reply('Very funny. /start for one of mine.'));

const JOKES = [
  'A SQL query walks into a bar, sees two tables and asks: may I join you?',
  'There is no place like ::1.',
];
let told = 0;
function tellJoke(ctx: Context) {
  const joke = JOKES[told++ % JOKES.length] ?? '';
  return ctx.reply(joke, { reply_markup: { inline_keyboard: [[{ text: 'Another one', callback_data: 'another' }]] } });
}

bot.catch(({ error }) => console.error(error));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void bot.stop());
await bot.start({ onStart: ({ username }) => console.log(`@${username} is running; the gate calls ${baseUrl}`) });
