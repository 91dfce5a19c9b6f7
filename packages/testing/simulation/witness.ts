import type { Actor, Watcher } from '../world/actor.ts';
import type { ReceivedFrame } from '../model/frame-chain.ts';

const conversation = /"(?:conversation_id|chat_id)":"([0-9a-f-]{36})"/g;
/** The event about an account's own removal, which the account may receive. */
const farewell = /\{"method":"events\.conversationRemoved","params":\{"conversation_id":"[0-9a-f-]{36}"\}/g;
const token = /#t\d+#/g;

/** Reads everything that actors receive and reports what they should not have received. */
export class Witness implements Watcher {
  readonly problems: string[] = [];
  /** Members by conversation. Only conversations of the simulation are here. */
  readonly #members = new Map<string, Set<string>>();
  /** Texts of private messages, with the accounts for which they exist. */
  readonly #private = new Map<string, ReadonlySet<string>>();
  /** Deleted texts, with the request during which their deletion was answered. */
  readonly #deletedAt = new Map<string, number>();
  /** The same for texts that one account has hidden; live frames may still contain them. */
  readonly #hiddenAt = new Map<string, number>();
  /** Texts deleted before this request can no longer be in transit. */
  #checkpoint = 0;
  #now = 0;
  readonly #events = new Map<number, string>();
  #floor = 0;
  #highest = 0;
  #tokens = 0;

  /** A unique text. */
  newToken(): string {
    this.#tokens += 1;
    return `#t${this.#tokens}#`;
  }

  setMembers(chatId: string, usernames: Iterable<string>): void {
    this.#members.set(chatId, new Set(usernames));
  }

  isMember(chatId: string, username: string): boolean {
    return this.#members.get(chatId)?.has(username) ?? false;
  }

  begin(): number {
    this.#now += 1;
    return this.#now;
  }

  /** From now on no answer may contain this text, and from the next checkpoint on no frame. */
  bury(text: string): void {
    for (const [found] of text.matchAll(token)) if (!this.#deletedAt.has(found)) this.#deletedAt.set(found, this.#now);
  }

  /** Nobody else may receive this text. */
  keepTo(text: string, usernames: readonly string[]): void {
    for (const [found] of text.matchAll(token)) this.#private.set(found, new Set(usernames));
  }

  /** From now on answers to this account must not contain this text. */
  hide(username: string, text: string): void {
    for (const [found] of text.matchAll(token)) this.#hiddenAt.set(`${username} ${found}`, this.#now);
  }

  /** Everything that was sent so far has been received. */
  checkpoint(): void {
    this.#checkpoint = this.begin();
  }

  /** The service has ended: the next one must not reuse its numbers. */
  restarted(): void {
    this.#floor = this.#highest;
  }

  read(receiver: Actor, text: string, begunAt?: number): void {
    for (const [, chatId = ''] of text.replaceAll(farewell, '').matchAll(conversation)) {
      const members = this.#members.get(chatId);
      if (members && !members.has(receiver.username))
        this.problems.push(
          `${receiver.username} received something of ${chatId}, where they are not: ${text.slice(0, 300)}`,
        );
    }
    for (const [found] of text.matchAll(token)) {
      if (this.#private.get(found)?.has(receiver.username) === false)
        this.problems.push(`${receiver.username} received the private ${found}: ${text.slice(0, 300)}`);
      const isDeleted = (this.#deletedAt.get(found) ?? Infinity) < (begunAt ?? this.#checkpoint);
      const isHidden = (this.#hiddenAt.get(`${receiver.username} ${found}`) ?? Infinity) < (begunAt ?? 0);
      if (isDeleted || isHidden)
        this.problems.push(
          `${receiver.username} received ${found}, ${isDeleted ? 'deleted' : 'hidden'} before: ${text.slice(0, 300)}`,
        );
    }
  }

  /** Checks a live frame: one event has one number, the same for all receivers, and numbers are not reused. */
  readFrame(receiver: string, { method, params, seq, prev }: ReceivedFrame): void {
    // Outside the log (LOG-11).
    if (seq === prev) return;
    const event = `${method} ${JSON.stringify(params)}`;
    const known = this.#events.get(seq);
    if (known === undefined) {
      if (seq <= this.#floor)
        this.problems.push(`${receiver}: ${seq} was used before the restart, and again for ${event}`);
      this.#events.set(seq, event);
      this.#highest = Math.max(this.#highest, seq);
    } else if (known !== event) this.problems.push(`${receiver}: ${seq} is ${event}, but ${known} for others`);
  }
}
