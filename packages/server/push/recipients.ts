import type { Logger } from 'pino';
import { type Clock, pause } from '../core/clock.ts';
import { Slice } from '../core/slices.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import type { PushPlatform } from '../store/notifications.ts';
import { membersFrom, type TokenHolder, tokensInChat } from '../store/push-queue.ts';
import type { Lanes } from './lanes.ts';
import { isLive } from './liveness.ts';
import { isBefore, type Look, type Place, Postponed } from './postponed.ts';
import { serviceOf } from './push-service.ts';
import type { QueuedMessage } from './queued-message.ts';
import type { Settling } from './settling.ts';
import { MOST_UNCONFIRMED, type Unconfirmed } from './unconfirmed.ts';

/** Participants, times messages, looked at before the time is; each may have 50 tokens. */
const AT_ONCE = 16;
/** What cannot be read is asked for again so often, at this pace; then its rows wait for the next start. */
const TRIES = 30;
const RETRY_MS = 1_000;

interface Ports {
  clock: Clock;
  logger: Logger;
  read: Sql;
  heardAt: (accountKey: number) => number | null;
  /** Tokens of a platform that is not configured are passed over (PUSH-18). */
  isUsable: (platform: PushPlatform) => boolean;
  lanes: Pick<Lanes, 'add' | 'isFull'>;
  settling: Settling;
  unconfirmed: Unconfirmed;
  slice?: Slice;
}

/** An account with tokens, each with its service. */
interface Recipient {
  accountKey: number;
  tokens: { tokenKey: number; service: string }[];
}

interface Live {
  accountKey: number;
  heardAt: number;
}

/** Finds whom messages are pushed to, one conversation after the other and a part of it at a time (ERR-12). */
export class Recipients {
  readonly #ports: Ports;
  readonly #slice: Slice;
  readonly #postponed: Postponed;
  readonly #stopped = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #looks = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#slice = ports.slice ?? new Slice();
    this.#postponed = new Postponed(ports.settling);
  }

  get isIdle(): boolean {
    return this.#looks === 0;
  }

  /** Conversations some of whose recipients wait for room at their service. */
  get postponed(): number {
    return this.#postponed.size;
  }

  get dropped(): number {
    return this.#postponed.dropped;
  }

  /** For all participants of a conversation, or one of them. */
  find(chatKey: number, messages: readonly QueuedMessage[], accountKey: number | null = null): Promise<void> {
    return this.#find({ chatKey, messages, accountKey, rest: null });
  }

  /** Goes on with what a service had no room for, until it is full again. */
  async goOn(service: string): Promise<void> {
    while (!this.#ports.lanes.isFull(service)) {
      const look = this.#postponed.take(service);
      if (!look) return;
      await this.#find(look);
      this.#ports.settling.end(look.messages);
    }
  }

  /** Waits no longer for what cannot be read. */
  stop(): void {
    this.#stopped.abort();
  }

  async idle(): Promise<void> {
    while (!this.isIdle) await this.#last;
  }

  /** One look after the other: what one of them postpones the next one knows. */
  #find(look: Look): Promise<void> {
    this.#looks += 1;
    const found = this.#last
      .then(() => this.#lookAtAll(look))
      .catch((error: unknown) => this.#ports.logger.error({ err: error }, 'whom to push to could not be read'))
      .finally(() => (this.#looks -= 1));
    this.#last = found;
    return found;
  }

  /** A store that is away for a moment costs nobody a push. */
  async #patiently<Rows>(ask: () => Awaitable<Rows>): Promise<Rows> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        if (tries === TRIES) throw error;
        await pause(this.#ports.clock, RETRY_MS, this.#stopped.signal);
      }
    }
  }

  async #lookAtAll({ messages, ...scope }: Look): Promise<void> {
    const { settling } = this.#ports;
    const recent = messages.slice(-MOST_UNCONFIRMED).toSorted((one, other) => one.messageKey - other.messageKey);
    const look: Look = { ...scope, messages: recent };
    settling.need(messages);
    let isAnybodyLive = false;
    for await (const recipients of this.#inParts(look)) {
      const others = recipients.filter((one) => recent.some(({ senderKey }) => senderKey !== one.accountKey));
      const { live, isOver } = this.#lookAt(look, others);
      for (const { accountKey, heardAt } of live) this.#ports.unconfirmed.note(accountKey, heardAt, recent);
      isAnybodyLive ||= live.length > 0;
      if (isOver) break;
      await this.#slice.pause();
    }
    if (isAnybodyLive) settling.keep(recent);
    settling.end(messages);
  }

  /** Pushes to whom it is to be; answers who has the messages already, unless their connection turns out to be dead. */
  #lookAt(look: Look, recipients: readonly Recipient[]): { live: Live[]; isOver: boolean } {
    const { heardAt: lastSignOf, clock } = this.#ports;
    const live: Live[] = [];
    for (const { accountKey, tokens } of recipients) {
      const heardAt = lastSignOf(accountKey);
      if (isLive(heardAt, clock.now())) live.push({ accountKey, heardAt });
      else
        for (const { tokenKey, service } of tokens)
          // What is left of a service's own look has been postponed with this one.
          if (!this.#offer(look, service, { accountKey, tokenKey }) && look.rest) return { live, isOver: true };
    }
    return { live, isOver: false };
  }

  #offer(look: Look, service: string, place: Place): boolean {
    const { lanes, settling } = this.#ports;
    const { chatKey, messages } = look;
    if (this.#postponed.takesIn(service, look, place)) return false;
    settling.need(messages);
    if (lanes.add({ ...place, service, chatKey, messages })) return true;
    this.#postponed.add(service, look, place);
    settling.end(messages);
    return false;
  }

  async *#inParts(look: Look): AsyncGenerator<Recipient[], void> {
    const { read, settling } = this.#ports;
    const { chatKey, accountKey, rest } = look;
    const members =
      accountKey === null
        ? (await this.#patiently(() => read.all(membersFrom, chatKey, rest?.from.accountKey ?? 0))).map(
            (member) => member.account_key,
          )
        : [accountKey];
    let hasTokens = false;
    const size = Math.max(1, Math.floor(AT_ONCE / look.messages.length));
    for (let at = 0; at < members.length; at += size) {
      const part = members.slice(at, at + size);
      const holders = await this.#patiently(() => read.all(tokensInChat, chatKey, part[0] ?? 0, part.at(-1) ?? 0));
      hasTokens ||= holders.length > 0;
      yield this.#recipientsAmong(holders, rest);
    }
    if (!hasTokens && accountKey === null && !rest) settling.quiet(chatKey);
  }

  #recipientsAmong(holders: readonly TokenHolder[], rest: Look['rest']): Recipient[] {
    const recipients: Recipient[] = [];
    // One account's tokens follow one another.
    for (const { account_key: accountKey, token_key: tokenKey, platform, address } of holders) {
      if (!this.#ports.isUsable(platform)) continue;
      const service = serviceOf(platform, address);
      if (rest && (service !== rest.service || isBefore({ accountKey, tokenKey }, rest.from))) continue;
      const last = recipients.at(-1);
      if (last?.accountKey === accountKey) last.tokens.push({ tokenKey, service });
      else recipients.push({ accountKey, tokens: [{ tokenKey, service }] });
    }
    return recipients;
  }
}
