import type { Actor, Watcher } from '../actor.ts';
import type { ReceivedFrame } from '../frame-chain.ts';

const conversation = /"(?:conversation_id|chat_id)":"([0-9a-f-]{36})"/g;
/** That it takes part no more is told to the one who does not. */
const farewell = /\{"method":"events\.conversationRemoved","params":\{"conversation_id":"[0-9a-f-]{36}"\}/g;
const token = /#t\d+#/g;

/** Reads everything that anybody receives, and tells what they should not have. */
export class Witness implements Watcher {
  readonly problems: string[] = [];
  /** Who takes part in what, by conversation. Only conversations of the simulation are here. */
  readonly #members = new Map<string, Set<string>>();
  /** Deleted texts, and when that was answered. */
  readonly #deletedAt = new Map<string, number>();
  /** The same of texts that one account has hidden for itself; live frames may still bring them. */
  readonly #hiddenAt = new Map<string, number>();
  /** What was deleted before this is on nobody's way any more. */
  #checkpoint = 0;
  #now = 0;
  readonly #events = new Map<number, string>();
  #floor = 0;
  #highest = 0;
  #tokens = 0;

  /** A text like no other. */
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

  /** Nobody may be answered with this text from now on, nor receive it from the next checkpoint on. */
  bury(text: string): void {
    for (const [found] of text.matchAll(token)) if (!this.#deletedAt.has(found)) this.#deletedAt.set(found, this.#now);
  }

  /** This account is answered without this text from now on. */
  hide(username: string, text: string): void {
    for (const [found] of text.matchAll(token)) this.#hiddenAt.set(`${username} ${found}`, this.#now);
  }

  /** Everything that was sent until now has come. */
  checkpoint(): void {
    this.#checkpoint = this.begin();
  }

  /** The service has ended: the next one gives no number again. */
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
      const isDeleted = (this.#deletedAt.get(found) ?? Infinity) < (begunAt ?? this.#checkpoint);
      const isHidden = (this.#hiddenAt.get(`${receiver.username} ${found}`) ?? Infinity) < (begunAt ?? 0);
      if (isDeleted || isHidden)
        this.problems.push(
          `${receiver.username} received ${found}, ${isDeleted ? 'deleted' : 'hidden'} before: ${text.slice(0, 300)}`,
        );
    }
  }

  /** A live frame: one event has one number, the same for all, and none is given twice. */
  readFrame(receiver: string, { method, params, seq, prev }: ReceivedFrame): void {
    if (seq === prev) return;
    const event = `${method} ${JSON.stringify(params)}`;
    const known = this.#events.get(seq);
    if (known === undefined) {
      if (seq <= this.#floor) this.problems.push(`${receiver}: ${seq} was given before the restart, now to ${event}`);
      this.#events.set(seq, event);
      this.#highest = Math.max(this.#highest, seq);
    } else if (known !== event) this.problems.push(`${receiver}: ${seq} is ${event}, and to others ${known}`);
  }
}
