import type { Html } from '../../../core/html.ts';
import { FORMATS, type Formats, type Language } from '../../../core/locale.ts';
import type { NewNotice } from '../../../modules/notices/index.ts';
import { type Button, press, type Screen } from '../screen.ts';
import { TEXTS } from '../texts/index.ts';

/** Returns a notice with a button to its subject and one to mute its kind. */
export function noticeScreen(notice: NewNotice, language: Language): Screen {
  const { notices } = TEXTS[language];
  return {
    text: textOf(notice, language, FORMATS[language]),
    rows: [linkFor(notice, language), [press(notices.mute, 'mute', notice.kind)]],
  };
}

function textOf(notice: NewNotice, language: Language, { rubles, count, plural }: Formats): Html {
  const { notices: texts, shared } = TEXTS[language];
  switch (notice.kind) {
    case 'subscriptions_reversed': {
      const { count: number, amount } = notice.data;
      return texts.subscriptionsReversed({ number, count: count(number), amount: rubles(BigInt(amount)), plural });
    }
    case 'order_paused': {
      const { accessLost, tokenLost } = shared.orders.pausedBecause;
      return texts.orderPaused({ ...notice.data, because: notice.data.is_bot ? tokenLost : accessLost });
    }
    case 'order_removals': {
      const { removals, ...order } = notice.data;
      return texts.orderRemovals({ ...order, number: removals, count: count(removals), plural });
    }
    case 'order_low_approval':
      return texts.orderLowApproval(notice.data);
    case 'order_completed': {
      const { subscribers, spent, ...order } = notice.data;
      return texts.orderCompleted({ ...order, subscribers: count(subscribers), spent: rubles(BigInt(spent)) });
    }
    case 'order_approved':
      return texts.orderApproved(notice.data);
    case 'order_rejected':
      return texts.orderRejected(notice.data);
    case 'chat_migrated':
      return texts.chatMigrated(notice.data);
    case 'order_link_changed':
      return texts.orderLinkChanged(notice.data);
    case 'payout_sent':
      return texts.payoutSent({ ...notice.data, amount: rubles(BigInt(notice.data.amount)) });
    case 'payout_returned':
      return texts.payoutReturned({ ...notice.data, amount: rubles(BigInt(notice.data.amount)) });
    case 'balance_credited':
      return texts.balanceCredited({ amount: rubles(BigInt(notice.data.amount)) });
    case 'contest_result': {
      const { name, rank, score, prize } = notice.data;
      const won = BigInt(prize) > 0n ? rubles(BigInt(prize)) : undefined;
      return texts.contestResult({ name, rank, score: count(score), prize: won });
    }
    case 'webhook_disabled':
      return texts.webhookDisabled(notice.data);
  }
}

function linkFor(notice: NewNotice, language: Language): readonly Button[] {
  const { open } = TEXTS[language].notices;
  switch (notice.kind) {
    case 'order_paused':
    case 'order_removals':
    case 'order_low_approval':
    case 'order_completed':
    case 'order_approved':
    case 'order_rejected':
    case 'chat_migrated':
    case 'order_link_changed':
      return [press(open.order, 'order', notice.data.order_id)];
    case 'payout_sent':
    case 'payout_returned':
    case 'balance_credited':
    case 'subscriptions_reversed':
      return [press(open.balance, 'balance')];
    case 'contest_result':
      return [press(open.contests, 'contests')];
    case 'webhook_disabled':
      return [];
  }
}
