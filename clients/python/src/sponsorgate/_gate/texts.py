from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence


@dataclasses.dataclass(frozen=True)
class GateTexts:
    """All texts of the gate. Plain text, without markup."""

    prompt: str
    """Above the list of sponsors."""
    confirm_button: str
    """The button below it."""
    passed: str
    """The user may enter."""
    missing: str
    """Subscriptions are missing; their titles follow."""
    check_later: str
    """Telegram did not respond in time."""
    subscribe_first: str
    """The user pressed a button of your bot before passing the gate."""
    unavailable: str
    """Sponsorgate is unavailable, and `on_unavailable` is `closed`."""
    not_yours: str
    """In a group: the user pressed the button of another user's list."""
    inline_button: str
    """Above the results of an inline query: leads to the chat with the bot."""


RU = GateTexts(
    prompt="Чтобы продолжить, подпишитесь на спонсоров, а затем нажмите кнопку под списком.",
    confirm_button="✅ Я подписался",
    passed="Спасибо! Доступ открыт.",
    missing="Пока нет подписки:",
    check_later="Не удалось проверить подписку. Нажмите ещё раз через минуту.",
    subscribe_first="Сначала подпишитесь на спонсоров.",
    unavailable="Сейчас не получается проверить подписки. Попробуйте через несколько минут.",
    not_yours="Этот список для другого участника.",
    inline_button="Сначала подпишитесь на спонсоров",
)

EN = GateTexts(
    prompt="To go on, subscribe to our sponsors, then press the button below the list.",
    confirm_button="✅ I subscribed",
    passed="Thank you! You are in.",
    missing="Not subscribed yet:",
    check_later="The subscription could not be checked. Press again in a minute.",
    subscribe_first="Subscribe to our sponsors first.",
    unavailable="Subscriptions cannot be checked right now. Try again in a few minutes.",
    not_yours="This list is for somebody else.",
    inline_button="Subscribe to our sponsors first",
)

UK = GateTexts(
    prompt="Щоб продовжити, підпишіться на спонсорів, а потім натисніть кнопку під списком.",
    confirm_button="✅ Я підписався",
    passed="Дякуємо! Доступ відкрито.",
    missing="Поки немає підписки:",
    check_later="Не вдалося перевірити підписку. Натисніть ще раз за хвилину.",
    subscribe_first="Спочатку підпишіться на спонсорів.",
    unavailable="Зараз не вдається перевірити підписки. Спробуйте за кілька хвилин.",
    not_yours="Цей список для іншого учасника.",
    inline_button="Спочатку підпишіться на спонсорів",
)

TextOverride = Mapping[str, str] | Callable[[str | None], Mapping[str, str]]
"""Replaces some or all texts, by their name in `GateTexts`: for all languages, or by the user's language code."""

_NAMES = frozenset(one.name for one in dataclasses.fields(GateTexts))


def check_texts(override: TextOverride | None) -> None:
    """Raises an error for a wrong name, so that the bot does not start with it."""
    if isinstance(override, Mapping) and (wrong := set(override) - _NAMES):
        raise ValueError(f"texts: unknown name {sorted(wrong)[0]}; known are {', '.join(sorted(_NAMES))}")


# Languages of countries and regions where Russian is commonly read, as in decision 0081 of the service.
READ_RUSSIAN = frozenset(
    ["ru", "be", "kk", "ky", "uz", "tg", "tk", "hy", "az", "ka", "mo", "ab", "os", "tt", "ba", "ce"]
)


def texts_for(language_code: str | None, override: TextOverride | None = None) -> GateTexts:
    """Returns texts in the user's language. Without a language: Russian, which is the default of the API."""
    language = re.split(r"[-_]", language_code.lower())[0] if language_code else "ru"
    ours = UK if language == "uk" else RU if language in READ_RUSSIAN else EN
    if override is None:
        return ours
    return dataclasses.replace(ours, **(override(language_code) if callable(override) else override))


MAX_ALERT = 200


def alert_text(start: str, titles: Sequence[str] = ()) -> str:
    """Telegram rejects an alert of more than 200 characters, so titles that do not fit are left out."""
    text = start
    for title in titles:
        longer = f"{text}\n• {title}"
        if len(longer) > MAX_ALERT - 2:
            return f"{text}\n…"[:MAX_ALERT]
        text = longer
    return text[:MAX_ALERT]
