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
import { Backlog, type QueuedMessage } from './backlog.ts';
import { badgeOf, PushTexts } from './content.ts';
import { EndpointGuard } from './endpoint-guard.ts';
import { Lanes } from './lanes.ts';
import type { Apns, Vapid } from './push-config.ts';
import { Settling } from './settling.ts';
import type { PushOutcome } from './transport.ts';
import { Transports } from './transports.ts';
import { Unconfirmed } from './unconfirmed.ts';

/** Heard from within this time, an account is live (PUSH-8). */
const LIVE_MS = 40_000;
/** Silence that means a dead socket is noticed within this time (SOCKET-8): so long rows of live recipients are kept. */
const KEEP_ROWS_MS = 80_000;
const MAX_RECOVERED = 100_000;
/** After a start clients come back; those who do not are told of what the former process left. */
const RETURN_MS = 5_000;

interface Ports {
  config: { vapid: Vapid | null; apns: Apns | null; pushAllowPrivate: boolean };
  clock: Clock;
  logger: Logger;
  read: SqliteConnection;
  random: () => number;
  /** When an account was last heard from over a live socket; null without one. */
  heardAt: (accountKey: number) => number | null;
  run: <Name extends 'settlePushes' | 'dropPushToken'>(
    name: Name,
    input: Parameters<InternalUnits[Name]>[1],
  ) => Promise<unknown>;
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
  /** What became of attempts since the start. */
  readonly counts: Record<PushOutcome['type'], number> = { sent: 0, gone: 0, retry: 0, failed: 0 };
  readonly #ports: Ports;
  readonly #transports: Transports;
  readonly #backlog: Backlog;
  readonly #lanes: Lanes;
  readonly #texts: PushTexts;
  readonly #settling: Settling;
  readonly #unconfirmed = new Unconfirmed();
  #returning: Timer | null = null;
  #isClosed = false;

  constructor(ports: Ports) {
    const { config, clock, logger, read, random } = ports;
    this.#ports = ports;
    this.guard = new EndpointGuard({ allowPrivate: config.pushAllowPrivate });
    this.#transports = new Transports({ ...config, guard: this.guard, clock });
    this.#backlog = new Backlog(clock, (chatKey, messages) => this.#look(chatKey, messages));
    this.#lanes = new Lanes(clock, random);
    this.#texts = new PushTexts(read);
    this.#settling = new Settling(clock, logger, (input) => ports.run('settlePushes', input));
  }

  /** Pushes that wait or are under way. */
  get waiting(): number {
    return this.#lanes.size + this.#backlog.size;
  }

  get dropped(): number {
    return this.#lanes.dropped + this.#backlog.dropped;
  }

  /** Nothing is left to be done but what waits for a later try. */
  get isIdle(): boolean {
    return this.#backlog.size === 0 && this.#lanes.isIdle;
  }

  /** Takes up what a former process left, once clients have had the time to come back (PUSH-14). */
  recover(): void {
    const left = this.#ports.read.all(queuedPushes, MAX_RECOVERED).toReversed();
    if (left.length === 0) return;
    this.#returning = this.#ports.clock.setTimer(() => {
      for (const { message_key: messageKey, chat_key: chatKey, sender_key: senderKey } of left)
        this.#backlog.add({ messageKey, chatKey, senderKey, isLate: true });
    }, RETURN_MS);
  }

  /** A message was stored, where somebody may have to be told of it. */
  take({ messageKey, chatKey, senderKey }: Omit<QueuedMessage, 'isLate'>): void {
    this.#backlog.add({ messageKey, chatKey, senderKey, isLate: false });
  }

  /** A socket of an account is gone; what it swallowed since its last sign of life is pushed after all (PUSH-9). */
  socketGone(accountKey: number, socketHeardAt: number, isClean: boolean): void {
    const left = this.#ports.heardAt(accountKey);
    const heardAt = Math.max(socketHeardAt, left ?? 0);
    const lost = this.#unconfirmed.socketGone(accountKey, { isClean, heardAt, others: left !== null });
    if (lost.length > 0) this.#pushLost(accountKey, lost);
  }

  /** Looks at what has gathered, lets sends end within `patienceMs`; what is still to be sent is for the next start. */
  async stop(patienceMs: number): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#returning?.cancel();
    this.#backlog.close();
    // Whoever had a socket has said goodbye by now, or never will.
    for (const [accountKey, lost] of this.#unconfirmed.takeAll()) this.#pushLost(accountKey, lost);
    if (patienceMs > 0) {
      const patience = Promise.withResolvers<void>();
      const timer = this.#ports.clock.setTimer(patience.resolve, patienceMs);
      await Promise.race([this.#lanes.idle(), patience.promise]);
      timer.cancel();
    }
    this.#lanes.close();
    await this.#transports.close();
    await this.#lanes.idle();
    await this.#settling.close();
  }

  /** Whom these messages of one conversation are pushed to now, and for whom they are kept. */
  #look(chatKey: number, messages: readonly QueuedMessage[]): number {
    const { read, clock } = this.#ports;
    const { ledger } = this.#settling;
    const now = clock.now();
    const holders = read.all(tokensInChat, chatKey);
    if (holders.length === 0) this.#settling.quiet(chatKey);
    const recipients = this.#recipients(this.#usable(holders));
    for (const message of messages) {
      ledger.need(message.messageKey);
      for (const { accountKey, heardAt, tokens } of recipients) {
        if (accountKey === message.senderKey) continue;
        if (isLive(heardAt, now)) this.#keepFor(accountKey, heardAt, message, now);
        else for (const token of tokens) this.#enqueue(message, token);
      }
      ledger.release(message.messageKey);
    }
    this.#settling.later();
    return holders.length;
  }

  #pushLost(accountKey: number, lost: readonly QueuedMessage[]): void {
    const tokens = this.#usable(this.#ports.read.all(tokensOfAccount, accountKey));
    for (const message of lost) for (const token of tokens) this.#enqueue({ ...message, isLate: true }, token);
  }

  #recipients(holders: readonly TokenHolder[]): Recipient[] {
    const recipients: Recipient[] = [];
    // One account's tokens follow one another.
    for (const holder of holders) {
      const last = recipients.at(-1);
      const accountKey = holder.account_key;
      if (last?.accountKey === accountKey) last.tokens.push(holder);
      else recipients.push({ accountKey, heardAt: this.#ports.heardAt(accountKey), tokens: [holder] });
    }
    return recipients;
  }

  /** Tokens of a platform that is not configured are passed over (PUSH-18). */
  #usable(holders: readonly TokenHolder[]): TokenHolder[] {
    return holders.filter(({ platform }) => this.#transports.has(platform));
  }

  /** A live recipient has it already, unless the connection turns out to be dead. */
  #keepFor(accountKey: number, heardAt: number, message: QueuedMessage, now: number): void {
    this.#unconfirmed.note(accountKey, heardAt, message);
    this.#settling.ledger.keep(message.messageKey, now + KEEP_ROWS_MS);
  }

  #enqueue(message: QueuedMessage, holder: TokenHolder): void {
    let mustBeUnread = message.isLate;
    this.#settling.ledger.need(message.messageKey);
    this.#lanes.add({
      lane: holder.token_key,
      service: holder.platform === 'ios' ? 'apns' : (URL.parse(holder.address)?.origin ?? ''),
      topic: String(message.chatKey),
      run: async () => {
        const outcome = await this.#send(message, holder, mustBeUnread).catch((error: unknown) => {
          this.#ports.logger.error({ err: error }, 'a push failed');
          return null;
        });
        mustBeUnread = true;
        if (!outcome) return 'done';
        this.counts[outcome.type] += 1;
        return outcome.type === 'retry' ? { retryAfterMs: outcome.afterMs } : 'done';
      },
      end: () => {
        this.#settling.ledger.release(message.messageKey);
        this.#settling.later();
      },
    });
  }

  /** Everything that decides is read here, when the push is sent, and again when it is tried again (PUSH-7). */
  async #send(message: QueuedMessage, holder: TokenHolder, mustBeUnread: boolean): Promise<PushOutcome | null> {
    const { read, clock } = this.#ports;
    const { messageKey, chatKey, senderKey } = message;
    const accountKey = holder.account_key;
    const now = clock.now();
    const target = read.get(pushTarget, holder.token_key, now, accountKey, chatKey);
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
    const { platform, token, address, registered_at: registeredAt } = target;
    const threadId = idText(target.chat_id);
    const badge = platform === 'ios' ? badgeOf(read, accountKey, prefs.badge) : null;
    const transport = await this.#transports.get(platform);
    if (!transport) return { type: 'retry', reason: 'the service is stopping' };
    const outcome = await transport.send(token, { ...push, threadId, badge, topic: topicOf(threadId, accountKey) });
    this.#report(platform, outcome);
    if (outcome.type === 'gone' && (outcome.since ?? Infinity) >= registeredAt)
      await this.#drop({ tokenKey: holder.token_key, address, registeredAt });
    return outcome;
  }

  /** Says nothing of the token: whoever has it can push. */
  #report(platform: string, outcome: PushOutcome): void {
    const { logger } = this.#ports;
    if (outcome.type === 'failed') logger.warn({ platform, reason: outcome.reason }, 'a push was refused');
    if (outcome.type === 'retry') logger.debug({ platform, reason: outcome.reason }, 'a push did not go out yet');
  }

  async #drop(token: Parameters<InternalUnits['dropPushToken']>[1]): Promise<void> {
    try {
      await this.#ports.run('dropPushToken', token);
    } catch (error) {
      this.#ports.logger.warn({ err: error }, 'a dead push token could not be removed');
    }
  }
}

const isLive = (heardAt: number | null, now: number): heardAt is number => heardAt !== null && now - heardAt <= LIVE_MS;

/** 32 characters that say nothing of the conversation to the push service, and differ from recipient to recipient (PUSH-10). */
const topicOf = (chatId: string, accountKey: number): string =>
  hash('sha256', `${chatId}:${accountKey}`, 'base64url').slice(0, 32);
