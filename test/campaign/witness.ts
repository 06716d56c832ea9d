/** A confirm that was answered with "counted": from then on it must be in the books. */
export interface Acknowledged {
  readonly userId: number;
  readonly botId: number;
  readonly orderId: number;
  readonly rewardKopecks: number;
}

/** A leave that was done, at a service time that is not earlier than the leave itself. */
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

/** What the campaign was told and what it did, kept on its own side: the books are held against it. */
export class Witness {
  readonly acknowledged = new Map<string, Acknowledged>();
  readonly left: Left[] = [];
  readonly topUps = new Map<string, TopUp>();
  /** Answers of the API by status; 0 stands for none at all. */
  readonly answers = new Map<number, number>();
  /** What no fault excuses. */
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

  /** Before the request is sent: whatever the answer, the user may be gone from then on. */
  leaves(userId: number, chatId: number): void {
    this.#mayHaveLeft.add(`${userId}:${chatId}`);
  }

  mayHaveLeft(userId: number, chatId: number): boolean {
    return this.#mayHaveLeft.has(`${userId}:${chatId}`);
  }

  /** Asked for with this key, however often; done when any of the answers says so. */
  toppedUp(key: string, orderId: number, quantity: number, isAcknowledged: boolean): void {
    const known = this.topUps.get(key) ?? { orderId, quantity, isAcknowledged: false };
    known.isAcknowledged ||= isAcknowledged;
    this.topUps.set(key, known);
  }
}
