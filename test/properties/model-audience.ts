/** The part of the model that tracks memberships and what the service can know of them. */
export class ModelAudience {
  /** The real memberships, as `user:chat`. */
  readonly #members = new Set<string>();
  /** The memberships that updates reported. A user who left without an update is still in it. */
  readonly #heard = new Set<string>();
  readonly #heardSince = new Map<string, number>();
  /** The time of the latest join that an update reported. */
  readonly #lastJoin = new Map<string, number>();
  /** The earliest time at which a membership check may have seen the membership. */
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

  /** Returns true when an update reports the leave to the service. */
  leave(user: number, chat: number, isHeard: boolean): boolean {
    const key = pair(user, chat);
    if (!this.#members.delete(key) || !isHeard) return false;
    this.#heard.delete(key);
    // A leave without a reported join means that the user joined at an unknown earlier time.
    if (this.#heardSince.has(key)) return true;
    // If a check may have seen the membership, the model cannot tell what the service knows.
    (this.#mayKnowSince.has(key) ? this.#mayKnowSince : this.#heardSince).set(key, -Infinity);
    return true;
  }

  /** Returns true when an update reported a join at this time or later. */
  hasJoinedSince(user: number, chat: number, time: number): boolean {
    return (this.#lastJoin.get(pair(user, chat)) ?? -Infinity) >= time;
  }

  isMember(user: number, chat: number): boolean {
    return this.#members.has(pair(user, chat));
  }

  /** Returns true when the user is a member according to updates, which the service trusts without a check. */
  isHeard(user: number, chat: number): boolean {
    return this.#heard.has(pair(user, chat));
  }

  /** Records that the service may have checked these chats. The response does not show which ones it checked. */
  mayBeChecked(user: number, chats: readonly number[], at: number): void {
    for (const chat of chats) {
      const key = pair(user, chat);
      if (this.#members.has(key) && !this.#mayKnowSince.has(key)) this.#mayKnowSince.set(key, at);
    }
  }

  /** Returns whether the service knew of the membership before this time. */
  wasKnownBefore(user: number, chat: number, time: number): 'yes' | 'no' | 'maybe' {
    const key = pair(user, chat);
    if ((this.#heardSince.get(key) ?? Infinity) < time) return 'yes';
    return (this.#mayKnowSince.get(key) ?? Infinity) < time ? 'maybe' : 'no';
  }
}

export const pair = (a: number, b: number): string => `${a}:${b}`;
