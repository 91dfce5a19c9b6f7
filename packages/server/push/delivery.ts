// push/: notifications for accounts without a live socket. It starts from the rows of push_queue, which are
// written with the messages. `recipients.ts` finds the devices, `delivery-queues.ts` schedules, `sending.ts` and the
// transports send; rules/push-delivery.ts decides what a push contains.
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { pushUnits } from './push-units.ts';
import type { Logger } from 'pino';
import type { Clock, Timer } from '../core/clock.ts';
import type { Intent } from '../commits/effects.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import type { PushPlatform } from '../store/notifications.ts';
import { type QueuedPush, queuedPushes } from '../store/push-queue.ts';
import { Backlog } from './backlog.ts';
import { EndpointGuard } from '../outbound/endpoint-guard.ts';
import { DeliveryQueues } from './delivery-queues.ts';
import type { Apns, Vapid } from './push-config.ts';
import type { QueuedMessage } from './queued-message.ts';
import { Recipients } from './recipients.ts';
import { Sending } from './sending.ts';
import { Settling } from './settling.ts';
import { Shown } from './shown.ts';
import { TakeBacks } from './take-backs.ts';
import type { PushOutcome } from './push-transport.ts';
import { PushTransports } from './push-transports.ts';
import { Unconfirmed } from './unconfirmed.ts';

const MAX_RECOVERED = 100_000;
/** How long clients may take to reconnect after a start; then the pushes that an earlier process left are sent. */
const RETURN_MS = 5_000;

/** The time from which a sign of life on another node is certainly later than `now`: clocks differ slightly. */
const soon = (now: number): number => Math.ceil(now / 1_000 + 1) * 1_000;

type TakeBack = Pick<Extract<Intent, { type: 'takeBack' }>, 'accountKeys' | 'seenTo'>;

export interface PushNeeds {
  config: { vapid: Vapid | null; apns: Apns | null; pushAllowPrivate: boolean };
  clock: Clock;
  logger: Logger;
  read: Sql;
  random: () => number;
  /** When an account was last heard from over a live socket; null if it has none. */
  heardAt: (accountKey: number) => number | null;
  /** Whether an account is connected to another node, whose signs of life arrive here with a delay. */
  isElsewhere?: (accountKey: number) => boolean;
  /** False while another node may be about to send in place of this one (CLUSTER-39). */
  isSure: () => Awaitable<boolean>;
  units: Pick<UnitCallers<typeof pushUnits>, 'dropPushToken' | 'settlePushes'>;
}

/** Delivers queued messages as pushes. */
export class PushDelivery {
  readonly guard: EndpointGuard;
  /** With which browsers subscribe; undefined if no web pushes are sent. */
  readonly vapidKey: string | undefined;
  readonly #needs: PushNeeds;
  readonly #transports: PushTransports;
  readonly #backlog: Backlog;
  readonly #recipients: Recipients;
  readonly #queues: DeliveryQueues;
  readonly #sending: Sending;
  readonly #settling: Settling;
  readonly #shown: Shown;
  readonly #takeBacks: TakeBacks;
  readonly #unconfirmed: Unconfirmed;
  readonly #returning = new Set<Timer>();
  /** While a recovery is pending: keys of the messages that this process has queued itself. */
  #taken: Set<number> | null = null;
  #isClosed = false;

  constructor(needs: PushNeeds) {
    const { config, clock, logger, random, units } = needs;
    this.#needs = needs;
    this.#unconfirmed = new Unconfirmed((accountKey, heardAt) =>
      needs.isElsewhere?.(accountKey) ? soon(clock.monotonic()) : heardAt,
    );
    this.vapidKey = config.vapid?.publicKey;
    this.guard = new EndpointGuard({ allowPrivate: config.pushAllowPrivate });
    this.#transports = new PushTransports({ ...config, guard: this.guard, clock });
    this.#shown = new Shown(needs.read);
    this.#settling = new Settling(clock, logger, this.#shown, units.settlePushes);
    const shared = {
      ...needs,
      // When the service stops, no account counts as live: a socket that has not closed cleanly by then never will.
      heardAt: (accountKey: number) => (this.#isClosed ? null : needs.heardAt(accountKey)),
      settling: this.#settling,
      unconfirmed: this.#unconfirmed,
      shown: this.#shown,
      isUsable: (platform: PushPlatform) => this.#transports.has(platform),
    };
    this.#sending = new Sending({
      ...shared,
      transports: this.#transports,
      dropToken: units.dropPushToken,
    });
    this.#queues = new DeliveryQueues({
      clock,
      random,
      run: (job) => this.#sending.run(job),
      end: (messages) => this.#settling.end(messages),
      onRoom: (service) => {
        void this.#recipients.goOn(service);
        this.#takeBacks.goOn(service);
      },
    });
    this.#recipients = new Recipients({ ...shared, queues: this.#queues });
    this.#takeBacks = new TakeBacks({ ...shared, queues: this.#queues });
    this.#backlog = new Backlog(clock, (chatKey, messages) => this.#recipients.find(chatKey, messages));
  }

  /** Attempts by outcome, since the start. */
  get counts(): Readonly<Record<PushOutcome['type'], number>> {
    return this.#sending.counts;
  }

  /** Pushes queued or being sent. */
  get waiting(): number {
    return this.#queues.size + this.#backlog.size + this.#recipients.postponed;
  }

  get dropped(): number {
    return this.#queues.dropped + this.#backlog.dropped + this.#recipients.dropped;
  }

  /** True when nothing is left to do, except retries that wait for their time. */
  get isIdle(): boolean {
    const isFinding = this.#backlog.size > 0 || !this.#recipients.isIdle || !this.#takeBacks.isIdle;
    return !isFinding && this.#queues.isIdle;
  }

  /** Queues the pushes that an earlier process left, once clients have had time to reconnect (PUSH-14). */
  async recover(): Promise<void> {
    const taken = (this.#taken = new Set());
    const left = await this.#needs.read.all(queuedPushes, MAX_RECOVERED);
    if (left.length === 0) this.#taken = null;
    else
      this.#whenBack(() => {
        this.#taken = null;
        this.#addLate(left.filter(({ message_key }) => !taken.has(message_key)));
      });
    this.recoverTakeBacks();
  }

  /**
   * Sends the take-backs that an earlier process or a dead node left in the store, once clients have had time to
   * reconnect (PUSH-26).
   */
  recoverTakeBacks(): void {
    this.#whenBack(() => {
      this.#takeBacks.recover().catch((error: unknown) => {
        if (!this.#isClosed) this.#needs.logger.error({ err: error }, 'failed to read the take-backs that are due');
      });
    });
  }

  /** Queues the pushes that a dead node left, newest first, once clients have had time to reconnect (PUSH-14). */
  takeUp(left: readonly QueuedPush[]): void {
    if (left.length > 0) this.#whenBack(() => this.#addLate(left));
  }

  #whenBack(act: () => void): void {
    if (this.#isClosed) return;
    const timer = this.#needs.clock.setTimer(() => {
      this.#returning.delete(timer);
      act();
    }, RETURN_MS);
    this.#returning.add(timer);
  }

  #addLate(left: readonly QueuedPush[]): void {
    for (const { message_key: messageKey, chat_key: chatKey, sender_key: senderKey } of left.toReversed())
      this.#backlog.add({ messageKey, chatKey, senderKey, isLate: true });
  }

  /** Queues a stored message that may have to be pushed. */
  take({ messageKey, chatKey, senderKey }: Omit<QueuedMessage, 'isLate'>): void {
    this.#taken?.add(messageKey);
    this.#backlog.add({ messageKey, chatKey, senderKey, isLate: false });
  }

  /** Drops the cached text of an edited message, so that no push shows the old one. */
  forgetText(messageKey: number): void {
    this.#sending.forgetText(messageKey);
  }

  /** Called when notifications on devices of these accounts may be obsolete, or their badges out of date (PUSH-20). */
  takeBack(intent: TakeBack): void {
    this.seenElsewhere(intent);
    this.#takeBacks.ask(intent.accountKeys);
  }

  /** Like `takeBack`, if another node sends the take-backs: corrects the records of pushes that are not stored yet. */
  seenElsewhere({ seenTo }: TakeBack): void {
    if (seenTo) this.#shown.seenTo(seenTo);
    this.#settling.wake();
  }

  /** Called when a socket has closed: pushes the messages sent to the account since its last sign of life (PUSH-9). */
  socketGone(accountKey: number, socketHeardAt: number, isClean: boolean): void {
    if (this.#isClosed) return;
    const left = this.#needs.heardAt(accountKey);
    const heardAt = Math.max(socketHeardAt, left ?? 0);
    const lost = this.#unconfirmed.socketGone(accountKey, { isClean, heardAt, others: left !== null });
    this.#pushLost(accountKey, lost);
  }

  /**
   * Called when a socket on this node has closed: take-backs that the account's last socket held back are due
   * (PUSH-20).
   */
  askTakeBacks(accountKey: number): void {
    this.#takeBacks.ask([accountKey]);
  }

  /**
   * Called when an account's socket on another node has closed. That node sends the take-backs, unless it held them
   * back for a socket that this node closed at the same moment. So if this node has held back take-backs too, it checks
   * again later.
   */
  socketGoneElsewhere(accountKey: number): void {
    if (this.#takeBacks.isHeldBack(accountKey)) this.#whenBack(() => this.#takeBacks.ask([accountKey]));
  }

  /** Queues the collected messages and lets sends end within `patienceMs`; all other rows stay for the next start. */
  async stop(patienceMs: number): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const timer of this.#returning) timer.cancel();
    this.#recipients.stop();
    await this.#takeBacks.close();
    // With no time left, starts no sends, because they would be aborted immediately.
    if (patienceMs <= 0) this.#queues.close();
    await this.#backlog.close();
    await this.#recipients.idle();
    for (const [accountKey, lost] of this.#unconfirmed.takeAll()) this.#pushLost(accountKey, lost);
    await this.#recipients.idle();
    if (patienceMs > 0) {
      const patience = Promise.withResolvers<void>();
      const timer = this.#needs.clock.setTimer(patience.resolve, patienceMs);
      await Promise.race([this.#queues.idle(), patience.promise]);
      timer.cancel();
    }
    this.#queues.close();
    await this.#transports.close();
    await this.#queues.idle();
    await this.#recipients.idle();
    await this.#settling.close();
  }

  #pushLost(accountKey: number, lost: readonly QueuedMessage[]): void {
    const byChat = Map.groupBy(lost, ({ chatKey }) => chatKey);
    for (const [chatKey, messages] of byChat) {
      const late = messages.map((message) => ({ ...message, isLate: true }));
      void this.#recipients.find(chatKey, late, accountKey);
    }
  }
}
