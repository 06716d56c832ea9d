import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { StartError } from '../core/errors.ts';
import { createSecrets } from '../core/secrets.ts';
import { migrate, type OpenDatabase, readMigrationSets, serviceMigrations } from '../db/index.ts';
import { deposit } from '../modules/accounts/index.ts';
import { snippetsFor } from '../modules/compat/index.ts';
import { readNextCheck } from '../modules/tasks/index.ts';
import {
  createEmulator,
  createExchangeSetup,
  createInbox,
  createLivePage,
  createMovableClock,
  DEMO_BOT_USERNAME,
  emulatorRoutes,
  ensureDemoData,
  exchangeControlRoutes,
  readSecretKey,
  resetToDemoData,
  sandboxMigrations,
  sandboxPage,
  sandboxToken,
  startDemoBot,
  telegramControlRoutes,
} from '../sandbox/index.ts';
import { createPollingIntake, describeBot, type Intake } from '../telegram/index.ts';
import { type Mode, warnAboutNewer } from './mode.ts';

export const MANAGEMENT_BOT = { id: 700_000_001, username: 'sponsorgate_bot', title: 'Sponsorgate' };
/**
 * The demo publisher's bot in the emulated Telegram. It is registered, so that a reset does not remove it while it
 * polls.
 */
const DEMO_BOT = { id: 700_000_002, username: DEMO_BOT_USERNAME, title: 'Film club' };
const EMULATOR_PATH = '/sandbox/telegram';
/** The emulator has no flood limit. A high rate keeps the jobs short after a tester moves the clock. */
const EMULATOR_CHECKS_PER_SECOND = 1_000;
/** The demo publisher's bot is the first bot in every sandbox. */
const DEMO_BOT_ID = 1;

/** Opens sandbox mode: an emulated Telegram with the real Bot API, a movable clock, and control endpoints for both. */
export async function openSandbox(config: Config, db: OpenDatabase, log: Logger): Promise<Mode> {
  const sets = await readMigrationSets(db.url);
  if (sets.has('service') && !sets.has('sandbox')) {
    // The demo data would replace all data of the live service.
    throw new StartError('this database belongs to a live service: set TELEGRAM_BOT_TOKEN, or another database');
  }
  // Apply the sandbox's migrations first. If the process is killed in between, or another process starts at the same
  // time, the database must not look like that of a live service.
  warnAboutNewer(log, await migrate(db.url, [sandboxMigrations, serviceMigrations], config.migrations));
  const secrets = createSecrets(config.secretKey ?? (await readSecretKey(db)));
  const clock = await createMovableClock(db);
  const emulator = createEmulator({ db, clock });
  const inbox = createInbox({ db, clock });
  const botToken = `${MANAGEMENT_BOT.id}:${secrets.sign('sandbox-bot-token', 'v1').toString('hex')}`;
  const demoBotToken = `${DEMO_BOT.id}:${secrets.sign('sandbox-bot-token', 'demo').toString('hex')}`;
  const demoToken = sandboxToken(secrets, DEMO_BOT_ID);
  let url = config.publicUrl;
  const apiRoot = (): string => `${url}${EMULATOR_PATH}`;

  const livePage = createLivePage({
    db,
    clock,
    secrets,
    emulator,
    managementBot: MANAGEMENT_BOT.username,
    demoBot: DEMO_BOT.username,
    demoToken,
    operatorIds: config.operatorIds,
    publisherSharePercent: config.publisherSharePercent,
    inboxUrl: () => `${url}/sandbox/inbox/demo`,
  });
  const demoBot = () =>
    startDemoBot({
      db,
      log,
      botToken: demoBotToken,
      apiRoot,
      // This process may not serve the API. In that case use the public URL.
      apiUrl: () => (config.roles.has('api') ? url : config.publicUrl),
      apiToken: demoToken,
    });

  const exchange = { db, clock, secrets, emulator, publisherSharePercent: config.publisherSharePercent };
  const setup = createExchangeSetup(exchange);
  const demo = { ...exchange, managementBotId: MANAGEMENT_BOT.id, hasHistory: config.hasDemoHistory };

  return {
    clock,
    secrets,
    botToken,
    miniAppLink: config.humanCheck?.miniAppLink ?? `https://t.me/${MANAGEMENT_BOT.username}`,
    apiRoot,
    demoToken,
    createIntake: ({ bot, checkers }) =>
      withCompanion(createPollingIntake({ db, clock, bot, checkers, log, describe: describeBot }), demoBot, () =>
        emulator.isListening(MANAGEMENT_BOT.id),
      ),
    onPayload: livePage.onResponse,
    sandbox: {
      firstToken: (botId) => sandboxToken(secrets, botId),
      async deposit({ accountId, amountKopecks, key }) {
        const at = clock.now();
        await db.transaction((tx) => deposit(tx, { accountId, amountKopecks, key: `sandbox:${key}`, at }));
      },
    },
    onFaultsCleared: emulator.onFaultsCleared,
    settlementChecksPerSecond: EMULATOR_CHECKS_PER_SECOND,
    allowsLoopback: true, // the sandbox's inbox for webhooks runs on this machine
    routes: ({ flow, runDueWork }) => [
      async (app) => {
        await app.register(sandboxPage({ demoToken, publisherSharePercent: config.publisherSharePercent }));
        await app.register(livePage.routes, { prefix: '/sandbox' });
        app.get('/sandbox/networks', async () => ({ networks: snippetsFor({ url, token: demoToken }) }));
        await app.register(emulatorRoutes(emulator), { prefix: EMULATOR_PATH });
        await app.register(telegramControlRoutes(emulator, inbox, { adminBotId: MANAGEMENT_BOT.id }), {
          prefix: '/sandbox',
        });
        await app.register(
          exchangeControlRoutes({
            db,
            clock,
            emulator,
            setup,
            managementBot: MANAGEMENT_BOT.username,
            runDueWork,
            settlement: { nextDueAt: (after) => readNextCheck(db, after), run: flow.settleDue },
            async reset() {
              await clock.reset();
              await resetToDemoData(demo);
              livePage.clear();
            },
          }),
          { prefix: '/sandbox' },
        );
      },
    ],
    async prepare() {
      for (const bot of [
        { ...MANAGEMENT_BOT, token: botToken },
        { ...DEMO_BOT, token: demoBotToken },
      ]) {
        await emulator.registerBot(bot);
      }
      await ensureDemoData(demo);
    },
    listensAt(address) {
      url = address;
    },
    close: () => clock.close(),
  };
}

/** Starts and stops the demo publisher's bot together with the service's own bot. */
function withCompanion(
  intake: Intake,
  begin: () => { stop(): Promise<void> },
  isListening: () => Promise<boolean>,
): Intake {
  let companion: { stop(): Promise<void> } | undefined;
  return {
    routes: intake.routes,
    async start() {
      await intake.start();
      companion = begin();
      await untilListening(isListening);
    },
    async stop() {
      await Promise.all([intake.stop(), companion?.stop()]);
    },
  };
}

const LISTENING_LIMIT_MS = 30_000;
const LISTENING_POLL_MS = 20;

/**
 * Waits for the bot's first poll. The emulator does not wait for a bot that has never polled, so it would report a
 * message sent right after the start as handled too early. The wait has a limit, so that a bot that never polls does
 * not block the start.
 */
async function untilListening(isListening: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LISTENING_LIMIT_MS;
  while (performance.now() < deadline && !(await isListening())) await sleep(LISTENING_POLL_MS);
}
