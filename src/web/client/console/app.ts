import { byId } from '../shared/dom.ts';

/** The entrance inside Telegram: tells our server who Telegram says this is, then goes on to the page that was wanted. */
const status = byId('status', HTMLElement);
const launch = new URLSearchParams(location.hash.slice(1));

interface TelegramWindow {
  readonly TelegramWebviewProxy?: { postEvent(type: string, data: string): void };
}

/** Telegram's apps listen in two ways: a bridge in phones and on the desktop, messages to the parent on the web. */
function tellTelegram(type: string): void {
  const bridge = (window as TelegramWindow).TelegramWebviewProxy;
  if (bridge !== undefined) bridge.postEvent(type, 'null');
  else if (parent !== window) parent.postMessage(JSON.stringify({ eventType: type, eventData: null }), '*');
}

/** Whether what Telegram looks like is dark: its background says so. */
function themeOf(json: string | null): 'light' | 'dark' | undefined {
  if (json === null) return undefined;
  const parameters: unknown = JSON.parse(json);
  if (typeof parameters !== 'object' || parameters === null || !('bg_color' in parameters)) return undefined;
  const [, red = '', green = '', blue = ''] = /^#(..)(..)(..)$/.exec(String(parameters.bg_color)) ?? [];
  const [r, g, b] = [red, green, blue].map((pair) => Number.parseInt(pair, 16));
  if (r === undefined || g === undefined || b === undefined) return undefined;
  return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? 'dark' : 'light';
}

async function enter(): Promise<void> {
  const initData = launch.get('tgWebAppData');
  if (initData === null) {
    status.textContent = status.dataset.outside ?? '';
    return;
  }
  tellTelegram('web_app_ready');
  tellTelegram('web_app_expand');
  const form = new URLSearchParams({ init_data: initData, next: status.dataset.next ?? '' });
  const theme = themeOf(launch.get('tgWebAppThemeParams'));
  if (theme !== undefined) form.set('theme', theme);
  const response = await fetch('/console/app', { method: 'POST', body: form, signal: AbortSignal.timeout(10_000) });
  const answer: unknown = await response.json();
  const next = typeof answer === 'object' && answer !== null && 'next' in answer ? answer.next : null;
  if (!response.ok || typeof next !== 'string') throw new Error('refused');
  // Not a step of its own on the way back.
  location.replace(next);
}

enter().catch(() => {
  status.textContent = status.dataset.failed ?? '';
});
