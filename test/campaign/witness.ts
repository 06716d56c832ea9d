/** A confirm whose reply said that it is counted. From then on the database must contain it. */
export interface Acknowledged {
  readonly userId: number;
  readonly botId: number;
  readonly orderId: number;
  readonly rewardKopecks: number;
}

/** A leave, with a service time that is not earlier than the leave itself. */
export interface Left {
  readonly userId: number;
  readonly chatId: number;
  readonly noLaterThan: Date;
}

interface TopUp {
  readonly orderId: number;
  readonly quantity: number;
  isAcknowledged: boolean;
}

/** Stores what the campaign did and which replies it got. The checker compares the database with it. */
export class Witness {
  readonly acknowledged = new Map<string, Acknowledged>();
  readonly left: Left[] = [];
  readonly topUps = new Map<string, TopUp>();
  /** The number of replies by status; 0 stands for no reply. */
  readonly answers = new Map<number, number>();
  /** Replies that no fault explains. */
  readonly outrages: string[] = [];
  readonly #mayHaveLeft = new Set<string>();

  answered(status: number | undefined): void {
    this.answers.set(status ?? 0, (this.answers.get(status ?? 0) ?? 0) + 1);
  }

  confirmed(confirm: Acknowledged): void {
    const key = `${confirm.userId}:${confirm.botId}:${confirm.orderId}`;
    const before = this.acknowledged.get(key);
    if (before !== undefined && before.rewardKopecks !== confirm.rewardKopecks) {
      this.outrages.push(`confirm ${key} was acknowledged with ${before.rewardKopecks} and ${confirm.rewardKopecks}`);
    }
    this.acknowledged.set(key, confirm);
  }

  /** Called before the request, because the user may have left even when there is no reply. */
  leaves(userId: number, chatId: number): void {
    this.#mayHaveLeft.add(`${userId}:${chatId}`);
  }

  mayHaveLeft(userId: number, chatId: number): boolean {
    return this.#mayHaveLeft.has(`${userId}:${chatId}`);
  }

  /** Records a top-up with this key. It counts as acknowledged when any of its replies is a success. */
  toppedUp(key: string, orderId: number, quantity: number, isAcknowledged: boolean): void {
    const known = this.topUps.get(key) ?? { orderId, quantity, isAcknowledged: false };
    known.isAcknowledged ||= isAcknowledged;
    this.topUps.set(key, known);
  }
}
