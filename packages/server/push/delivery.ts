// push/: telling people of messages on devices that have no live socket. It starts from the rows of push_queue, written
// with the messages. `delivery.ts` decides whom, `lanes.ts` when, the transports how; rules/push-delivery.ts says what.
import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock, Timer } from '../clock.ts';
import { idText } from '../ids.ts';
import { pushFor } from '../rules/push-delivery.ts';
import type { SqliteConnection } from '../store/engines/sqlite.ts';
import { isHidden } from '../store/messages.ts';
import { readDevicePrefs, readPrefs } from '../store/notifications.ts';
import { pushTarget, queuedPushes, type TokenHolder, tokensInChat, tokensOfAccount } from '../store/push-queue.ts';
import type { InternalUnits } from '../units/index.ts';
import { badgeOf, PushTexts } from './content.ts';
import { EndpointGuard } from './endpoint-guard.ts';
import { type Job, Lanes } from './lanes.ts';
import { Ledger } from './ledger.ts';
import type { Apns, Vapid } from './push-config.ts';
import type { PushOutcome } from './transport.ts';
import { Transports } from './transports.ts';
import { Unconfirmed } from './unconfirmed.ts';

/** Heard from within this time, an account is live (PUSH-8). */
const LIVE_MS = 40_000;
/** Silence that means a dead socket is noticed within this time (SOCKET-8): so long rows of live recipients are kept. */
const KEEP_ROWS_MS = 80_000;
/** The first message is looked at once, those behind it together. */
const PACE_MS = 100;
const SETTLE_MS = 1_000;
const SETTLE_STEP = 2_000;
/** Pairs of messages and tokens looked at before sockets and callers have their turn. */
const PAIRS_PER_TURN = 2_000;
const MAX_BACKLOG = 50_000;
const MAX_RECOVERED = 100_000;
/** After a start clients come back; those who do not are told of what the former process left. */
const RETURN_MS = 5_000;

export interface QueuedMessage {
  messageKey: number;
  chatKey: number;
  senderKey: number;
  /** It was stored a while ago: whoever has read it need not be told. */
  isLate: boolean;
}

interface Ports {
  config: { vapid: Vapid | null; apns: Apns | null; pushAllowPrivate: boolean };
  clock: Clock;
  logger: Logger;
  read: SqliteConnection;
  random: () => number;
  /** When an account was last heard from over a live socket; null without one. */
  heardAt: (accountKey: number) => number | null;
  run: <Name extends 'settlePushes' | 'dropPushToken'>(name: Name, input: Parameters<InternalUnits[Name]>[1]) => Promise<unknown>;
}

/** An account with tokens, and how it stands. */
interface Recipient {
  accountKey: number;
  heardAt: number | null;
  tokens: TokenHolder[];
}

/** From queued messages to pushes. */
export class PushDelivery {
  readonly guard: EndpointGuard;
  /** What became of pushes since the start. */
  readonly counts: Record<PushOutcome['type'], number> = { sent: 0, gone: 0, retry: 0, failed: 0 };
  readonly #ports: Ports;
  readonly #transports: Transports;
  readonly #lanes: Lanes;
  readonly #texts: PushTexts;
  readonly #ledger = new Ledger();
  readonly #unconfirmed = new Unconfirmed();
  readonly #quietChats = new Set<number>();
  /** Messages to be looked at, by conversation. */
  readonly #backlog = new Map<number, QueuedMessage[]>();
  #backlogSize = 0;
  #overflow = 0;
  #isScheduled = false;
  #pace: Timer | null = null;
  #nextLookAt = 0;
  #settling: Timer | null = null;
  #returning: Timer | null = null;
  #isClosed = false;

  constructor(ports: Ports) {
    const { config, clock, read, random } = ports;
    this.#ports = ports;
    this.guard = new EndpointGuard({ allowPrivate: config.pushAllowPrivate });
    this.#transports = new Transports({ ...config, guard: this.guard, clock });
    this.#lanes = new Lanes(clock, random);
    this.#texts = new PushTexts(read);
  }

  /** Pushes that wait or are under way. */
  get waiting(): number {
    return this.#lanes.size + this.#backlogSize;
  }

  /** Nothing is left to be done but what waits for a later try. */
  get isIdle(): boolean {
    return this.#backlogSize === 0 && this.#lanes.isIdle;
  }

  get dropped(): number {
    return this.#lanes.dropped + this.#overflow;
  }

  /** Takes up what a former process left, once clients have had the time to come back (PUSH-14). */
  recover(): void {
    const left = this.#ports.read.all(queuedPushes, MAX_RECOVERED).toReversed();
    if (left.length === 0) return;
    this.#returning = this.#ports.clock.setTimer(() => {
      this.#returning = null;
      for (const { message_key, chat_key, sender_key } of left)
        this.#remember({ messageKey: message_key, chatKey: chat_key, senderKey: sender_key, isLate: true });
    }, RETURN_MS);
  }

  /** A message was stored, where somebody may have to be told of it. */
  take({ messageKey, chatKey, senderKey }: Omit<QueuedMessage, 'isLate'>): void {
    if (this.#backlogSize >= MAX_BACKLOG) this.#overflow += 1;
    else this.#remember({ messageKey, chatKey, senderKey, isLate: false });
  }

  /** A socket of an account is gone; what it swallowed since its last sign of life is pushed after all (PUSH-9). */
  socketGone(accountKey: number, socketHeardAt: number, isClean: boolean): void {
    const left = this.#ports.heardAt(accountKey);
    const heardAt = Math.max(socketHeardAt, left ?? 0);
    const lost = this.#unconfirmed.socketGone(accountKey, { isClean, heardAt, others: left !== null });
    if (lost.length === 0) return;
    const tokens = this.#usable(this.#ports.read.all(tokensOfAccount, accountKey));
    for (const message of lost) for (const token of tokens) this.#enqueue({ ...message, isLate: true }, token);
  }

  /** Looks at what has gathered, lets sends end within `patienceMs`, and puts away what nobody needs any more. */
  async stop(patienceMs: number): Promise<void> {
    if (this.#isClosed) return;
    while (this.#backlogSize > 0) this.#lookAtBacklog();
    if (patienceMs > 0) {
      const patience = Promise.withResolvers<void>();
      const timer = this.#ports.clock.setTimer(patience.resolve, patienceMs);
      await Promise.race([this.#lanes.idle(), patience.promise]);
      timer.cancel();
    }
    this.#isClosed = true;
    this.#lanes.close();
    for (const timer of [this.#pace, this.#settling, this.#returning]) timer?.cancel();
    await this.#transports.close();
    await this.#lanes.idle();
    // Nobody is live any more: the rows that are left are those with a push still to be sent.
    await this.#settleAll(Number.MAX_SAFE_INTEGER);
  }

  #remember(message: QueuedMessage): void {
    const known = this.#backlog.get(message.chatKey);
    if (known) known.push(message);
    else this.#backlog.set(message.chatKey, [message]);
    this.#backlogSize += 1;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    const { clock } = this.#ports;
    const waitMs = this.#nextLookAt - clock.now();
    const look = (): void => {
      this.#pace = null;
      if (!this.#isClosed) this.#lookAtBacklog();
      if (this.#backlogSize > 0 && !this.#isClosed) return void setImmediate(look);
      this.#isScheduled = false;
      this.#nextLookAt = clock.now() + PACE_MS;
    };
    if (waitMs <= 0) setImmediate(look);
    else this.#pace = clock.setTimer(look, waitMs);
  }

  #lookAtBacklog(): void {
    let pairs = 0;
    for (const [chatKey, messages] of this.#backlog) {
      if (pairs >= PAIRS_PER_TURN) return;
      this.#backlog.delete(chatKey);
      this.#backlogSize -= messages.length;
      pairs += messages.length * this.#look(messages, chatKey);
    }
  }

  /** Whom these messages of one conversation are pushed to now, and for whom they are kept. Answers of how many tokens. */
  #look(messages: readonly QueuedMessage[], chatKey: number): number {
    const { read, clock } = this.#ports;
    const now = clock.now();
    const holders = read.all(tokensInChat, chatKey);
    if (holders.length === 0) this.#quietChats.add(chatKey);
    const recipients = this.#recipients(this.#usable(holders));
    for (const message of messages) {
      this.#ledger.need(message.messageKey);
      for (const { accountKey, heardAt, tokens } of recipients) {
        if (accountKey === message.senderKey) continue;
        if (isLive(heardAt, now)) this.#keepFor(accountKey, heardAt, message, now);
        else for (const token of tokens) this.#enqueue(message, token);
      }
      this.#ledger.release(message.messageKey);
    }
    this.#settleLater();
    return holders.length + 1;
  }

  #recipients(holders: readonly TokenHolder[]): Recipient[] {
    const recipients: Recipient[] = [];
    // One account's tokens follow one another.
    for (const holder of holders) {
      const last = recipients.at(-1);
      if (last?.accountKey === holder.account_key) last.tokens.push(holder);
      else
        recipients.push({
          accountKey: holder.account_key,
          heardAt: this.#ports.heardAt(holder.account_key),
          tokens: [holder],
        });
    }
    return recipients;
  }

  /** Tokens of a platform that is not configured are passed over (PUSH-18). */
  #usable(holders: readonly TokenHolder[]): TokenHolder[] {
    return holders.filter(({ platform }) => this.#transports.has(platform));
  }

  #enqueue(message: QueuedMessage, holder: TokenHolder): void {
    let mustBeUnread = message.isLate;
    this.#ledger.need(message.messageKey);
    const job: Job = {
      lane: holder.token_key,
      service: holder.platform === 'ios' ? 'apns' : (URL.parse(holder.address)?.origin ?? ''),
      topic: String(message.chatKey),
      run: async () => {
        const outcome = await this.#send(message, holder, mustBeUnread);
        mustBeUnread = true;
        if (!outcome) return 'done';
        this.counts[outcome.type] += 1;
        return outcome.type === 'retry' ? { retryAfterMs: outcome.afterMs } : 'done';
      },
      end: () => {
        this.#ledger.release(message.messageKey);
        this.#settleLater();
      },
    };
    this.#lanes.add(job);
  }

  /** Everything that decides is read here, when the push is sent, and again when it is tried again (PUSH-7). */
  async #send(message: QueuedMessage, holder: TokenHolder, mustBeUnread: boolean): Promise<PushOutcome | null> {
    const { read, clock, logger } = this.#ports;
    const { messageKey, chatKey, senderKey } = message;
    const { account_key: accountKey, token_key: tokenKey } = holder;
    const now = clock.now();
    const target = read.get(pushTarget, tokenKey, now, accountKey, chatKey);
    const content = this.#texts.of(messageKey, now);
    if (!target || !content || read.get(isHidden, accountKey, messageKey)) return null;
    if (mustBeUnread && target.read_key >= messageKey) return null;
    const heardAt = this.#ports.heardAt(accountKey);
    if (isLive(heardAt, now)) this.#keepFor(accountKey, heardAt, message, now);
    const prefs = readPrefs(target.prefs);
    const push = pushFor({
      recipient: {
        kind: 'human',
        isLive: isLive(heardAt, now),
        isSender: accountKey === senderKey,
        isMuted: target.is_muted === 1 && (target.muted_until === null || target.muted_until > now),
        prefs,
        device: readDevicePrefs(target.device_prefs),
      },
      chat: { kind: target.chat_kind, title: target.chat_title },
      message: content,
    });
    if (!push) return null;
    const threadId = idText(target.chat_id);
    const badge = target.platform === 'ios' ? badgeOf(read, accountKey, prefs.badge) : null;
    const transport = await this.#transports.get(target.platform);
    const outcome = await transport.send(target.token, { ...push, threadId, badge, topic: topicOf(threadId, accountKey) });
    if (outcome.type === 'gone' && (outcome.since ?? Infinity) >= target.registered_at)
      await this.#drop({ tokenKey, address: target.address, registeredAt: target.registered_at });
    // Neither tells of the token: whoever has it can push.
    const { platform } = target;
    if (outcome.type === 'failed') logger.warn({ platform, reason: outcome.reason }, 'a push was refused');
    if (outcome.type === 'retry') logger.debug({ platform, reason: outcome.reason }, 'a push did not go out yet');
    return outcome;
  }

  /** A live recipient has it already, unless the connection turns out to be dead. */
  #keepFor(accountKey: number, heardAt: number, message: QueuedMessage, now: number): void {
    this.#unconfirmed.note(accountKey, heardAt, message);
    this.#ledger.keep(message.messageKey, now + KEEP_ROWS_MS);
  }

  async #drop(token: Parameters<InternalUnits['dropPushToken']>[1]): Promise<void> {
    try {
      await this.#ports.run('dropPushToken', token);
    } catch (error) {
      this.#ports.logger.warn({ err: error }, 'a dead push token could not be removed');
    }
  }

  #settleLater(): void {
    if (this.#isClosed || this.#settling || (this.#ledger.isSettled && this.#quietChats.size === 0)) return;
    this.#settling = this.#ports.clock.setTimer(() => {
      const end = (): void => {
        this.#settling = null;
        this.#settleLater();
      };
      this.#settleAll(this.#ports.clock.now()).then(end, end);
    }, SETTLE_MS);
  }

  /** Deletes the rows that nobody needs any more, and takes marks off conversations without tokens. */
  async #settleAll(now: number): Promise<void> {
    for (;;) {
      const done = this.#ledger.takeDone(now, SETTLE_STEP);
      const quietChats = [...this.#quietChats];
      this.#quietChats.clear();
      if (done.length === 0 && quietChats.length === 0) return;
      try {
        await this.#ports.run('settlePushes', { done, quietChats });
      } catch (error) {
        this.#ledger.putBack(done);
        this.#ports.logger.warn({ err: error }, 'the push queue could not be tidied');
        return;
      }
    }
  }
}

const isLive = (heardAt: number | null, now: number): heardAt is number => heardAt !== null && now - heardAt <= LIVE_MS;

/** 32 characters that say nothing of the conversation to the push service, and differ from one recipient to the next (PUSH-10). */
const topicOf = (chatId: string, accountKey: number): string =>
  hash('sha256', `${chatId}:${accountKey}`, 'base64url').slice(0, 32);
