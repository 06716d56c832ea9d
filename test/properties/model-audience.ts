/** Who belongs where, and what the service can know of it. Part of the model. */
export class ModelAudience {
  /** user:chat, as it is. */
  readonly #members = new Set<string>();
  /** The same as updates told it: someone who left unnoticed is still in it. */
  readonly #heard = new Set<string>();
  readonly #heardSince = new Map<string, number>();
  /** The latest join that an update told of. */
  readonly #lastJoin = new Map<string, number>();
  /** When a live check of a candidate may first have seen the membership. */
  readonly #mayKnowSince = new Map<string, number>();

  join(user: number, chat: number, heardAt: number | undefined): void {
    const key = pair(user, chat);
    if (this.#members.has(key)) return;
    this.#members.add(key);
    if (heardAt === undefined) return;
    this.#heard.add(key);
    this.#lastJoin.set(key, heardAt);
    if (!this.#heardSince.has(key)) this.#heardSince.set(key, heardAt);
  }

  /** Answers whether the service heard of a leaving. */
  leave(user: number, chat: number, isHeard: boolean): boolean {
    const key = pair(user, chat);
    if (!this.#members.delete(key) || !isHeard) return false;
    this.#heard.delete(key);
    // Who leaves without having been seen was there from before anything that is known.
    if (this.#heardSince.has(key)) return true;
    // A check that may have seen the user makes that unsure.
    (this.#mayKnowSince.has(key) ? this.#mayKnowSince : this.#heardSince).set(key, -Infinity);
    return true;
  }

  /** Whether an update dates a join at this time or later. */
  hasJoinedSince(user: number, chat: number, time: number): boolean {
    return (this.#lastJoin.get(pair(user, chat)) ?? -Infinity) >= time;
  }

  isMember(user: number, chat: number): boolean {
    return this.#members.has(pair(user, chat));
  }

  /** A member as far as updates told, which are believed without asking. */
  isHeard(user: number, chat: number): boolean {
    return this.#heard.has(pair(user, chat));
  }

  /** Candidates are checked; which ones the service does not say. */
  mayBeChecked(user: number, chats: readonly number[], at: number): void {
    for (const chat of chats) {
      const key = pair(user, chat);
      if (this.#members.has(key) && !this.#mayKnowSince.has(key)) this.#mayKnowSince.set(key, at);
    }
  }

  /** Was the user known to be a member before this time? */
  wasKnownBefore(user: number, chat: number, time: number): 'yes' | 'no' | 'maybe' {
    const key = pair(user, chat);
    if ((this.#heardSince.get(key) ?? Infinity) < time) return 'yes';
    return (this.#mayKnowSince.get(key) ?? Infinity) < time ? 'maybe' : 'no';
  }
}

export const pair = (a: number, b: number): string => `${a}:${b}`;
