import { byId } from '../shared/dom.ts';

/** Signs in inside Telegram: sends Telegram's init data to the server, then opens the requested page. */
const status = byId('status', HTMLElement);
const launch = new URLSearchParams(location.hash.slice(1));

interface TelegramWindow {
  readonly TelegramWebviewProxy?: { postEvent(type: string, data: string): void };
}

/** Phones and desktop apps provide a bridge; Telegram's web versions listen to messages to the parent frame. */
function postToTelegram(type: string): void {
  const bridge = (window as TelegramWindow).TelegramWebviewProxy;
  if (bridge !== undefined) bridge.postEvent(type, 'null');
  else if (parent !== window) parent.postMessage(JSON.stringify({ eventType: type, eventData: null }), '*');
}

/** Returns the theme of Telegram, judged by its background colour. */
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
  postToTelegram('web_app_ready');
  postToTelegram('web_app_expand');
  const form = new URLSearchParams({ init_data: initData, next: status.dataset.next ?? '' });
  const theme = themeOf(launch.get('tgWebAppThemeParams'));
  if (theme !== undefined) form.set('theme', theme);
  const response = await fetch('/console/app', { method: 'POST', body: form, signal: AbortSignal.timeout(10_000) });
  const answer: unknown = await response.json();
  const next = typeof answer === 'object' && answer !== null && 'next' in answer ? answer.next : null;
  if (!response.ok || typeof next !== 'string') throw new Error('refused');
  // `replace` keeps this page out of the browser's history.
  location.replace(next);
}

enter().catch(() => {
  status.textContent = status.dataset.failed ?? '';
});
