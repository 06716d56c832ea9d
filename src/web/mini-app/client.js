// Runs in Telegram's web view. Sends Telegram's signed init data and the platform to the server, lets a suspicious user
// pass the human check, then opens the address of the smart link. It does not need Telegram's own script.
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- a script for browsers, without types */
(() => {
  const texts =
    document.documentElement.lang === 'ru'
      ? {
          done: 'Готово, можно закрыть это окно.',
          go: 'Продолжить',
          outside: 'Откройте эту страницу в Telegram.',
          failed: 'Не получилось. Закройте окно и откройте ссылку ещё раз.',
          passed: 'Спасибо, проверка пройдена.',
          notPassed: 'Проверка не пройдена. Закройте окно и откройте ссылку ещё раз или продолжите без проверки.',
        }
      : {
          done: 'Done, you can close this window.',
          go: 'Continue',
          outside: 'Open this page in Telegram.',
          failed: 'That did not work. Close this window and open the link again.',
          passed: 'Thank you, the check is passed.',
          notPassed:
            'The check is not passed. Close this window and open the link again, or continue without the check.',
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
  function follow(url, text = '') {
    link.href = url;
    link.textContent = texts.go;
    link.hidden = false;
    showStatus(text);
    const target = new URL(url);
    const isTelegram = target.protocol === 'https:' && target.hostname === 't.me';
    const isPosted = isTelegram
      ? postToTelegram('web_app_open_tg_link', { path_full: target.pathname + target.search })
      : target.protocol !== 'tg:' && postToTelegram('web_app_open_link', { url });
    if (!isPosted) window.location.assign(url);
  }

  /** Sends JSON. Returns the response, or undefined when the server refused. */
  async function send(path, body) {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.ok ? response.json() : undefined;
  }

  const STORED_ID = 'sponsorgate device';
  /** Returns the random number of this device and creates it once. Runs only after the user was told and has agreed. */
  function deviceId() {
    try {
      const stored = window.localStorage.getItem(STORED_ID);
      if (stored !== null && /^[0-9a-f]{32}$/.test(stored)) return stored;
      const bytes = window.crypto.getRandomValues(new Uint8Array(16));
      const created = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      window.localStorage.setItem(STORED_ID, created);
      return created;
    } catch {
      return undefined; // the browser stores nothing
    }
  }

  function deviceSignals(press, shownAt) {
    const { screen, navigator } = window;
    return {
      id: deviceId(),
      screen: { width: Math.round(screen.width), height: Math.round(screen.height) },
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? '',
      touch_points: navigator.maxTouchPoints ?? 0,
      is_automated: navigator.webdriver === true || !press.isTrusted,
      // A keyboard and a screen reader press without a pointer.
      pressed_by: press.detail === 0 ? 'keyboard' : 'pointer',
      pressed_after_ms: Math.round(window.performance.now() - shownAt),
    };
  }

  /** The tap that opened this page must not press the button too. */
  const READY_MS = 500;

  /** Shows the human check: one button. A user who does not want to press it can go on without it. */
  function showCheck(body, challenge, redirect) {
    const section = document.getElementById('check');
    const button = document.getElementById('pass');
    const skip = document.getElementById('skip');
    const shownAt = window.performance.now();
    showStatus('');
    section.hidden = false;
    document.getElementById('check-title').focus();
    if (redirect) {
      skip.hidden = false;
      skip.href = redirect;
      skip.addEventListener('click', (event) => {
        event.preventDefault();
        follow(redirect);
      });
    }
    window.setTimeout(() => {
      button.disabled = false;
    }, READY_MS);
    button.addEventListener('click', (press) => {
      button.disabled = true;
      const device = deviceSignals(press, shownAt);
      send('/app/check', { ...body, challenge, consent: true, device })
        .then((answer) => {
          if (answer?.passed !== true) return showStatus(texts.notPassed);
          section.hidden = true;
          return redirect ? follow(redirect, texts.passed) : showStatus(`${texts.passed} ${texts.done}`);
        })
        .catch(() => showStatus(texts.notPassed));
    });
  }

  async function visit() {
    const launch = new URLSearchParams(window.location.hash.slice(1));
    const initData = launch.get('tgWebAppData');
    if (!initData) return showStatus(texts.outside);
    postToTelegram('web_app_ready', null);
    const body = { init_data: initData };
    const platform = launch.get('tgWebAppPlatform');
    if (platform) body.platform = platform;
    const answer = await send('/app/visit', body);
    if (answer === undefined) return showStatus(texts.failed);
    const { redirect, challenge } = answer;
    if (challenge) showCheck(body, challenge, redirect);
    else if (redirect) follow(redirect);
    else showStatus(texts.done);
  }

  visit().catch(() => showStatus(texts.failed));
})();
