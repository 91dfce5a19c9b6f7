import type { Logger } from 'pino';
import { type Clock, pause } from '../core/clock.ts';
import { Slice } from '../core/slices.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import type { PushPlatform } from '../store/notifications.ts';
import { membersFrom, type TokenHolder, tokensInChat } from '../store/push-queue.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import { isLive } from './liveness.ts';
import { isBefore, type Lookup, type Place, Postponed } from './postponed.ts';
import { serviceOf } from './push-service.ts';
import type { QueuedMessage } from './queued-message.ts';
import type { Settling } from './settling.ts';
import { MAX_UNCONFIRMED, type Unconfirmed } from './unconfirmed.ts';

/** Maximum participants times messages handled before the event loop runs; each participant may have 50 tokens. */
const AT_ONCE = 16;
/** Maximum attempts of a failing read, and the delay between them; after that the rows wait for the next start. */
const TRIES = 30;
const RETRY_MS = 1_000;

interface RecipientsNeeds {
  clock: Clock;
  logger: Logger;
  read: Sql;
  heardAt: (accountKey: number) => number | null;
  /** Whether a platform is configured; tokens of others are skipped (PUSH-18). */
  isUsable: (platform: PushPlatform) => boolean;
  queues: Pick<DeliveryQueues, 'add' | 'isFull'>;
  settling: Settling;
  unconfirmed: Unconfirmed;
  slice?: Slice;
}

/** An account with its tokens and the service of each. */
interface Recipient {
  accountKey: number;
  tokens: { tokenKey: number; service: string }[];
}

interface Live {
  accountKey: number;
  heardAt: number;
}

/** Finds the recipients of messages, one conversation after the other and in parts (ERR-12). */
export class Recipients {
  readonly #needs: RecipientsNeeds;
  readonly #slice: Slice;
  readonly #postponed: Postponed;
  readonly #stopped = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #lookups = 0;

  constructor(needs: RecipientsNeeds) {
    this.#needs = needs;
    this.#slice = needs.slice ?? new Slice();
    this.#postponed = new Postponed(needs.settling);
  }

  get isIdle(): boolean {
    return this.#lookups === 0;
  }

  /** Number of conversations with recipients that wait for room at their service. */
  get postponed(): number {
    return this.#postponed.size;
  }

  get dropped(): number {
    return this.#postponed.dropped;
  }

  /** Finds recipients among all participants of a conversation, or only one of them. */
  find(chatKey: number, messages: readonly QueuedMessage[], accountKey: number | null = null): Promise<void> {
    return this.#find({ chatKey, messages, accountKey, rest: null });
  }

  /** Resumes the lookups that a service refused, until it is full again. */
  async goOn(service: string): Promise<void> {
    while (!this.#needs.queues.isFull(service)) {
      const lookup = this.#postponed.take(service);
      if (!lookup) return;
      await this.#find(lookup);
      this.#needs.settling.end(lookup.messages);
    }
  }

  /** Stops waiting for failing reads. */
  stop(): void {
    this.#stopped.abort();
  }

  async idle(): Promise<void> {
    while (!this.isIdle) await this.#last;
  }

  /** Runs lookups one after the other, so that each sees what the previous ones postponed. */
  #find(lookup: Lookup): Promise<void> {
    this.#lookups += 1;
    const found = this.#last
      .then(() => this.#findAll(lookup))
      .catch((error: unknown) => this.#needs.logger.error({ err: error }, 'failed to read the recipients of pushes'))
      .finally(() => (this.#lookups -= 1));
    this.#last = found;
    return found;
  }

  /** Retries a read, so that a short outage of the store loses no push. */
  async #patiently<Rows>(ask: () => Awaitable<Rows>): Promise<Rows> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        if (tries === TRIES) throw error;
        await pause(this.#needs.clock, RETRY_MS, this.#stopped.signal);
      }
    }
  }

  async #findAll({ messages, ...scope }: Lookup): Promise<void> {
    const { settling } = this.#needs;
    const recent = messages.slice(-MAX_UNCONFIRMED).toSorted((one, other) => one.messageKey - other.messageKey);
    const lookup: Lookup = { ...scope, messages: recent };
    settling.need(messages);
    let isAnybodyLive = false;
    for await (const recipients of this.#inParts(lookup)) {
      const others = recipients.filter((one) => recent.some(({ senderKey }) => senderKey !== one.accountKey));
      const { live, isOver } = this.#push(lookup, others);
      for (const { accountKey, heardAt } of live) this.#needs.unconfirmed.note(accountKey, heardAt, recent);
      isAnybodyLive ||= live.length > 0;
      if (isOver) break;
      await this.#slice.pause();
    }
    if (isAnybodyLive) settling.keep(recent);
    settling.end(messages);
  }

  /** Queues pushes. Returns the live accounts, which have the messages already unless a socket turns out to be dead. */
  #push(lookup: Lookup, recipients: readonly Recipient[]): { live: Live[]; isOver: boolean } {
    const { heardAt: lastSignOf, clock } = this.#needs;
    const live: Live[] = [];
    for (const { accountKey, tokens } of recipients) {
      const heardAt = lastSignOf(accountKey);
      if (isLive(heardAt, clock.monotonic())) live.push({ accountKey, heardAt });
      else
        for (const { tokenKey, service } of tokens)
          // A resumed lookup that is refused again has been postponed as a whole.
          if (!this.#offer(lookup, service, { accountKey, tokenKey }) && lookup.rest) return { live, isOver: true };
    }
    return { live, isOver: false };
  }

  #offer(lookup: Lookup, service: string, place: Place): boolean {
    const { queues, settling } = this.#needs;
    const { chatKey, messages } = lookup;
    if (this.#postponed.takesIn(service, lookup, place)) return false;
    settling.need(messages);
    if (queues.add({ ...place, service, chatKey, messages })) return true;
    this.#postponed.add(service, lookup, place);
    settling.end(messages);
    return false;
  }

  async *#inParts(lookup: Lookup): AsyncGenerator<Recipient[], void> {
    const { read, settling } = this.#needs;
    const { chatKey, accountKey, rest } = lookup;
    const members =
      accountKey === null
        ? (await this.#patiently(() => read.all(membersFrom, chatKey, rest?.from.accountKey ?? 0))).map(
            (member) => member.account_key,
          )
        : [accountKey];
    let hasTokens = false;
    const size = Math.max(1, Math.floor(AT_ONCE / lookup.messages.length));
    for (let at = 0; at < members.length; at += size) {
      const part = members.slice(at, at + size);
      const holders = await this.#patiently(() => read.all(tokensInChat, chatKey, part[0] ?? 0, part.at(-1) ?? 0));
      hasTokens ||= holders.length > 0;
      yield this.#recipientsAmong(holders, rest);
    }
    if (!hasTokens && accountKey === null && !rest) settling.quiet(chatKey);
  }

  #recipientsAmong(holders: readonly TokenHolder[], rest: Lookup['rest']): Recipient[] {
    const recipients: Recipient[] = [];
    // The tokens of one account are adjacent.
    for (const { account_key: accountKey, token_key: tokenKey, platform, address } of holders) {
      if (!this.#needs.isUsable(platform)) continue;
      const service = serviceOf(platform, address);
      if (rest && (service !== rest.service || isBefore({ accountKey, tokenKey }, rest.from))) continue;
      const last = recipients.at(-1);
      if (last?.accountKey === accountKey) last.tokens.push({ tokenKey, service });
      else recipients.push({ accountKey, tokens: [{ tokenKey, service }] });
    }
    return recipients;
  }
}
