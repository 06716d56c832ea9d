// Runs in Telegram's web view. Sends Telegram's signed init data and the platform to the server, then opens the address
// of the smart link. It does not need Telegram's own script.
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access -- a script for browsers, without types */
(() => {
  const texts =
    document.documentElement.lang === 'ru'
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
  const showStatus = (text) => {
    status.textContent = text;
  };

  /** Returns whether one of Telegram's three ways to receive events exists. Only Telegram may frame this page. */
  function postToTelegram(eventType, eventData) {
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

  /** Opens a Telegram address in Telegram and any other in the browser. The button stays in case that is blocked. */
  function follow(url) {
    link.href = url;
    link.textContent = texts.go;
    link.hidden = false;
    showStatus('');
    const target = new URL(url);
    const isTelegram = target.protocol === 'https:' && target.hostname === 't.me';
    const isPosted = isTelegram
      ? postToTelegram('web_app_open_tg_link', { path_full: target.pathname + target.search })
      : target.protocol !== 'tg:' && postToTelegram('web_app_open_link', { url });
    if (!isPosted) window.location.assign(url);
  }

  async function visit() {
    const launch = new URLSearchParams(window.location.hash.slice(1));
    const initData = launch.get('tgWebAppData');
    if (!initData) return showStatus(texts.outside);
    postToTelegram('web_app_ready', null);
    const body = { init_data: initData };
    const platform = launch.get('tgWebAppPlatform');
    if (platform) body.platform = platform;
    const response = await fetch('/app/visit', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) return showStatus(texts.failed);
    const { redirect } = await response.json();
    if (redirect) follow(redirect);
    else showStatus(texts.done);
  }

  visit().catch(() => showStatus(texts.failed));
})();
