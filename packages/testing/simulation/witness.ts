import type { Actor } from '../actor.ts';
import type { ReceivedFrame } from '../frame-chain.ts';

const conversation = /"(?:conversation_id|chat_id)":"([0-9a-f-]{36})"/g;
const token = /#t\d+#/g;

/** Reads everything that anybody receives, and tells what they should not have. */
export class Witness {
  readonly problems: string[] = [];
  /** Who takes part in what, by conversation. Only conversations of the simulation are here. */
  readonly #members = new Map<string, Set<string>>();
  readonly #buried = new Set<string>();
  /** Deleted, but perhaps still on its way to someone who reads slowly. */
  readonly #dying = new Set<string>();
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

  /** From the next checkpoint on nobody may receive this text. */
  bury(text: string): void {
    for (const [found] of text.matchAll(token)) this.#dying.add(found);
  }

  /** Everything that was sent until now has come. */
  checkpoint(): void {
    for (const text of this.#dying) this.#buried.add(text);
    this.#dying.clear();
  }

  /** The service has ended: the next one gives no number again. */
  restarted(): void {
    this.#floor = this.#highest;
  }

  readText(receiver: Actor, text: string): void {
    for (const [, chatId = ''] of text.matchAll(conversation)) {
      const members = this.#members.get(chatId);
      if (members && !members.has(receiver.username))
        this.problems.push(`${receiver.username} received something of ${chatId}, where they are not: ${text.slice(0, 300)}`);
    }
    for (const [found] of text.matchAll(token))
      if (this.#buried.has(found)) this.problems.push(`${receiver.username} received the deleted ${found}: ${text.slice(0, 300)}`);
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
