// Runs in Telegram's web view. Tells our server who opened the page (Telegram signed that) and on which platform, then
// goes on to the link that opened it. Telegram's own script is not needed for this much.
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access -- a script for browsers, without types */
(() => {
  const isRussian = navigator.language.toLowerCase().startsWith('ru');
  const texts = isRussian
    ? {
        done: 'Готово, можно закрыть это окно.',
        go: 'Продолжить',
        outside: 'Откройте эту страницу в Telegram.',
        failed: 'Не получилось. Закройте окно и откройте ссылку ещё раз.',
      }
    : {
        done: 'Done, you can close this window.',
        go: 'Continue',
        outside: 'Open this page in Telegram.',
        failed: 'That did not work. Close this window and open the link again.',
      };
  const status = document.getElementById('status');
  const link = document.getElementById('go');
  const say = (text) => {
    status.textContent = text;
  };

  /** Telegram's apps listen in three ways; answers whether any of them does here. Only Telegram may frame this page. */
  function tellTelegram(eventType, eventData) {
    if (window.TelegramWebviewProxy) {
      window.TelegramWebviewProxy.postEvent(eventType, JSON.stringify(eventData));
    } else if (typeof window.external?.notify === 'function') {
      window.external.notify(JSON.stringify({ eventType, eventData }));
    } else if (window.parent !== window) {
      window.parent.postMessage(JSON.stringify({ eventType, eventData }), '*');
    } else {
      return false;
    }
    return true;
  }

  /** A Telegram address opens in Telegram itself, any other in the browser; the button stays for whoever blocks that. */
  function follow(url) {
    link.href = url;
    link.textContent = texts.go;
    link.hidden = false;
    say('');
    const target = new URL(url);
    const isTelegram = target.protocol === 'https:' && target.hostname === 't.me';
    const isTold = isTelegram
      ? tellTelegram('web_app_open_tg_link', { path_full: target.pathname + target.search })
      : target.protocol !== 'tg:' && tellTelegram('web_app_open_link', { url });
    if (!isTold) window.location.assign(url);
  }

  async function visit() {
    const launch = new URLSearchParams(window.location.hash.slice(1));
    const initData = launch.get('tgWebAppData');
    if (!initData) return say(texts.outside);
    tellTelegram('web_app_ready', null);
    const body = { init_data: initData };
    const platform = launch.get('tgWebAppPlatform');
    if (platform) body.platform = platform;
    const response = await fetch('/app/visit', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) return say(texts.failed);
    const { redirect } = await response.json();
    if (redirect) follow(redirect);
    else say(texts.done);
  }

  visit().catch(() => say(texts.failed));
})();
