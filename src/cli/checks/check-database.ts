import type { Config } from '../../config.ts';
import { systemClock } from '../../core/clock.ts';
import {
  type DatabaseState,
  inspectDatabase,
  OWNER_ADVICE,
  serviceMigrations,
  UNRELEASED_DATABASE,
} from '../../db/index.ts';
import { sandboxMigrations } from '../../sandbox/index.ts';
import { clockFinding, type Finding, fail, ok, reasonOf, warn } from './finding.ts';

const OLDEST_POSTGRES = 15;
/** Leases of deliveries and jobs use the database's clock and last tens of seconds. */
const CLOCK_LIMITS = { warnMs: 1_000, failMs: 15_000 };

/** Checks the database server and the schema. Returns the state only if further checks can read the database. */
export async function* checkDatabase(
  config: Config,
  url: string,
  how: string,
): AsyncGenerator<Finding, DatabaseState | undefined> {
  let state: DatabaseState;
  try {
    state = await inspectDatabase(url, [serviceMigrations, sandboxMigrations], () => systemClock.now().getTime());
  } catch (error) {
    yield fail('database', `cannot be reached (${reasonOf(error)}): check DATABASE_URL and that the server runs`);
    return undefined;
  }
  yield state.majorVersion < OLDEST_POSTGRES
    ? fail('database', `PostgreSQL ${state.version} is too old: ${OLDEST_POSTGRES} or newer is needed`)
    : ok('database', `PostgreSQL ${state.version}, ${how}`);
  yield clockFinding('database clock', state.clockSkewMs, CLOCK_LIMITS);
  if (state.missingRights.length > 0) {
    yield fail('database role', `${state.missingRights.join(', ')}: ${OWNER_ADVICE}`);
    return undefined;
  }

  const mixedUp = ownerFault(config, state.sets);
  const schema = mixedUp === undefined ? schemaFinding(state) : fail('schema', mixedUp);
  yield schema;
  return schema.level === 'ok' ? state : undefined;
}

/** Returns an error text when the database belongs to the other mode. The start of the service refuses this too. */
function ownerFault({ telegram }: Config, sets: ReadonlySet<string>): string | undefined {
  if (telegram !== undefined && sets.has('sandbox')) {
    return 'this database belongs to a sandbox, with demo money in it: live mode needs another DATA_DIR or DATABASE_URL';
  }
  if (telegram === undefined && sets.has('service') && !sets.has('sandbox')) {
    return 'this database belongs to a live service: set TELEGRAM_BOT_TOKEN, or another database for a sandbox';
  }
  return undefined;
}

function schemaFinding(state: DatabaseState): Finding {
  const { sets, missingMigrations, foreignMigrations, failedMigration } = state;
  if (state.isUnreleased) return fail('schema', UNRELEASED_DATABASE);
  if (failedMigration !== undefined) {
    const { name, reason } = failedMigration;
    return fail('schema', `migration ${name} failed at the last start (${reason}): mend that and start again`);
  }
  if (!sets.has('service')) return warn('schema', 'the database is empty: the first start makes its tables');
  if (foreignMigrations.length > 0) {
    return fail(
      'schema',
      `was made by another version of the service (${foreignMigrations.join(', ')}): update this one`,
    );
  }
  if (missingMigrations.length > 0) {
    return warn('schema', `the next start will bring it up to date (${missingMigrations.join(', ')}): back up first`);
  }
  return ok('schema', 'all migrations are applied');
}
