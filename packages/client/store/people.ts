import type { Account, Actor } from '@parley/protocol';
import type { Clock, Timer } from '../environment.ts';
import { CellFamily } from './cell-family.ts';
import type { Changes } from './changes.ts';

/** Maximum accounts; those above it without subscribers are evicted. */
const MAX_ACCOUNTS = 2_000;
/**
 * How long typing of a human is shown without an update: the service repeats it every 6 s, but a dead node sends no end
 * (SDK-30).
 */
const TYPING_MS = 10_000;
const nobody: readonly Actor[] = [];

/** Known accounts, and who is typing in each timeline. */
export class People {
  readonly accounts: CellFamily<Account | undefined>;
  /** By timeline: accounts that are typing, and agents with a streaming reply there (SDK-33). */
  readonly typing: CellFamily<readonly Actor[]>;
  readonly #clock: Clock;
  /** Accounts that typing events reported, by timeline. */
  readonly #typists = new Map<string, readonly Actor[]>();
  /** Senders of streaming replies, by timeline and message. */
  readonly #writers = new Map<string, Map<string, Actor>>();
  #isAway = false;
  /** Timers by timeline and username. */
  readonly #lapses = new Map<string, Timer>();

  constructor(changes: Changes, clock: Clock) {
    this.#clock = clock;
    this.accounts = new CellFamily<Account | undefined>(changes, () => undefined);
    this.typing = new CellFamily(changes, () => nobody);
  }

  see(account: Account): void {
    if (!this.accounts.set(account.username, account) || this.accounts.size <= MAX_ACCOUNTS) return;
    for (const username of this.accounts.keys().slice(0, MAX_ACCOUNTS / 2))
      if (!this.accounts.isObserved(username)) this.accounts.delete(username);
  }

  setTyping(timeline: string, actor: Actor, isTyping: boolean): void {
    const key = `${timeline} ${actor.username}`;
    this.#lapses.get(key)?.cancel();
    this.#lapses.delete(key);
    // An agent's typing lasts until its turn ends.
    if (isTyping && actor.kind === 'human')
      this.#lapses.set(
        key,
        this.#clock.setTimer(() => this.setTyping(timeline, actor, false), TYPING_MS),
      );
    const others = (this.#typists.get(timeline) ?? nobody).filter(({ username }) => username !== actor.username);
    this.#typists.set(timeline, isTyping ? [...others, actor] : others);
    this.#show(timeline);
  }

  /**
   * Marks the sender of a streaming reply as typing: its typing event may have been missed or sent before the page
   * opened.
   */
  setWriting(timeline: string, messageId: string, actor: Actor | null): void {
    const writers = this.#writers.get(timeline) ?? new Map<string, Actor>();
    if (actor) writers.set(messageId, actor);
    else writers.delete(messageId);
    if (writers.size > 0) this.#writers.set(timeline, writers);
    else this.#writers.delete(timeline);
    this.#show(timeline);
  }

  /** Without a connection it is not known who writes. */
  setAway(isAway: boolean): void {
    this.#isAway = isAway;
    for (const timeline of this.#writers.keys()) this.#show(timeline);
  }

  close(): void {
    for (const timer of this.#lapses.values()) timer.cancel();
  }

  /** Typing events are not replayed, so after a gap all typing is unknown. */
  stopTyping(isMeant: (timeline: string) => boolean = () => true): void {
    for (const timeline of [...this.#typists.keys()].filter(isMeant)) {
      this.#typists.delete(timeline);
      this.#show(timeline);
    }
  }

  #show(timeline: string): void {
    const typists = this.#typists.get(timeline) ?? nobody;
    if (typists.length === 0) this.#typists.delete(timeline);
    const writers = (this.#isAway ? undefined : this.#writers.get(timeline))?.values() ?? [];
    const all = [...new Map([...typists, ...writers].map((actor) => [actor.username, actor])).values()];
    if (all.length === 0) this.typing.delete(timeline);
    else this.typing.set(timeline, all);
  }
}
