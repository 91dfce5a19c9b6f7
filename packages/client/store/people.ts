import type { Account, Actor } from '@parley/protocol';
import type { Clock, Timer } from '../environment.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';
import { isSame } from './same.ts';

/** Beyond so many those go that nobody looks at. */
const MOST_ACCOUNTS = 2_000;
/** The service tells that somebody types at least every 6 s, and when they have ended; one that died tells nothing (SDK-30). */
const TYPING_MS = 10_000;
const nobody: readonly Actor[] = [];

/** Who has been seen, and who is typing where. */
export class People {
  readonly accounts: CellFamily<Account | undefined>;
  /** By timeline. */
  readonly typing: CellFamily<readonly Actor[]>;
  readonly #clock: Clock;
  /** By timeline and name. */
  readonly #lapses = new Map<string, Timer>();

  constructor(changes: Changes, clock: Clock) {
    this.#clock = clock;
    this.accounts = new CellFamily(changes, () => undefined);
    this.typing = new CellFamily(changes, () => nobody);
  }

  see(account: Account): void {
    const known = this.accounts.get(account.username);
    if (known === account || isSame(known, account)) return;
    this.accounts.set(account.username, account);
    if (this.accounts.size <= MOST_ACCOUNTS) return;
    for (const username of this.accounts.keys().slice(0, MOST_ACCOUNTS / 2))
      if (!this.accounts.isObserved(username)) this.accounts.delete(username);
  }

  setTyping(timeline: string, actor: Actor, isTyping: boolean): void {
    const key = `${timeline} ${actor.username}`;
    this.#lapses.get(key)?.cancel();
    this.#lapses.delete(key);
    // An agent's lasts as long as its turn.
    if (isTyping && actor.kind === 'human')
      this.#lapses.set(
        key,
        this.#clock.setTimer(() => this.setTyping(timeline, actor, false), TYPING_MS),
      );
    const before = this.typing.get(timeline);
    const others = before.filter(({ username }) => username !== actor.username);
    if (isTyping) this.typing.set(timeline, [...others, actor]);
    else if (others.length === 0) this.typing.delete(timeline);
    else if (others.length < before.length) this.typing.set(timeline, others);
  }

  close(): void {
    for (const timer of this.#lapses.values()) timer.cancel();
  }

  /** What was missed holds no typing: nobody knows who still does. */
  stopTyping(isMeant: (timeline: string) => boolean = () => true): void {
    for (const timeline of this.typing.keys()) if (isMeant(timeline)) this.typing.delete(timeline);
  }
}
