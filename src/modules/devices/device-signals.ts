import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** What our page reports about the device on which the check is made. Only the id becomes a mark; the rest is dropped. */
const SignalsSchema = Type.Object(
  {
    /** A random number that our page stored in the device; absent when the device stores nothing. */
    id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$' })),
    screen: Type.Object(
      { width: Type.Integer({ minimum: 1, maximum: 20_000 }), height: Type.Integer({ minimum: 1, maximum: 20_000 }) },
      { additionalProperties: false },
    ),
    time_zone: Type.String({ maxLength: 64 }),
    touch_points: Type.Integer({ minimum: 0, maximum: 256 }),
    is_automated: Type.Boolean(),
    pressed_by: Type.Union([Type.Literal('pointer'), Type.Literal('keyboard')]),
    pressed_after_ms: Type.Integer({ minimum: 0, maximum: 86_400_000 }),
  },
  { additionalProperties: false },
);

type DeviceSignals = Static<typeof SignalsSchema>;

/** Why reported signals are not believed. */
type SignalFault = 'automated' | 'forged_device';

type ReadSignals =
  | { readonly kind: 'believed'; readonly signals: DeviceSignals }
  | { readonly kind: 'ignored'; readonly fault: SignalFault };

/** A person needs at least this long to see the button and to press it. */
const LEAST_PRESS_MS = 300;

/** The names of Telegram's apps, and what the browser inside each of them always sends. */
const AGENT_OF: ReadonlyMap<string, RegExp> = new Map([
  ['android', /Android/],
  ['android_x', /Android/],
  ['ios', /iPhone|iPad|iPod|Macintosh/],
  ['macos', /Macintosh/],
  ['tdesktop', /Windows|Macintosh|X11/],
  ['unigram', /Windows/],
  ['web', /./],
  ['weba', /./],
  ['webk', /./],
]);
const PHONES: ReadonlySet<string> = new Set(['android', 'android_x', 'ios']);

/** Reads what the page sent. Signals that contradict themselves or the request come from a program. */
export function readSignals(
  sent: unknown,
  { platform, userAgent }: { readonly platform: string | undefined; readonly userAgent: string | undefined },
): ReadSignals {
  if (!Value.Check(SignalsSchema, sent) || !isTimeZone(sent.time_zone)) return FORGED;
  if (sent.is_automated || sent.pressed_after_ms < LEAST_PRESS_MS) return { kind: 'ignored', fault: 'automated' };
  const app = platform?.toLowerCase() ?? '';
  if (AGENT_OF.get(app)?.test(userAgent ?? '') !== true) return FORGED;
  if (PHONES.has(app) && sent.touch_points === 0) return FORGED;
  return { kind: 'believed', signals: sent };
}

const FORGED: ReadSignals = { kind: 'ignored', fault: 'forged_device' };

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
