// push/: telling people of messages on devices that have no live socket. It starts from the rows of push_queue, written
// with the messages. `recipients.ts` finds whom, `lanes.ts` says when, `sending.ts` and the transports how;
// rules/push-delivery.ts says what.
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { pushUnits } from './push-units.ts';
import type { Logger } from 'pino';
import type { Clock, Timer } from '../core/clock.ts';
import type { Intent } from '../commits/effects.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import type { PushPlatform } from '../store/notifications.ts';
import { type QueuedPush, queuedPushes } from '../store/push-queue.ts';
import { Backlog } from './backlog.ts';
import { EndpointGuard } from './endpoint-guard.ts';
import { Lanes } from './lanes.ts';
import type { Apns, Vapid } from './push-config.ts';
import type { QueuedMessage } from './queued-message.ts';
import { Recipients } from './recipients.ts';
import { Sending } from './sending.ts';
import { Settling } from './settling.ts';
import { Shown } from './shown.ts';
import { TakeBacks } from './take-backs.ts';
import type { PushOutcome } from './transport.ts';
import { Transports } from './transports.ts';
import { Unconfirmed } from './unconfirmed.ts';

const MAX_RECOVERED = 100_000;
/** After a start clients come back; those who do not are told of what the former process left. */
const RETURN_MS = 5_000;

/** What another node hears until then may have been before what is sent now: clocks differ a little. */
const soon = (now: number): number => Math.ceil(now / 1_000 + 1) * 1_000;

type TakeBack = Pick<Extract<Intent, { type: 'takeBack' }>, 'accountKeys' | 'seenTo'>;

interface Ports {
  config: { vapid: Vapid | null; apns: Apns | null; pushAllowPrivate: boolean };
  clock: Clock;
  logger: Logger;
  read: Sql;
  random: () => number;
  /** When an account was last heard from over a live socket; null without one. */
  heardAt: (accountKey: number) => number | null;
  /** True for those who are connected to other nodes: when they were heard from is known a little later. */
  isElsewhere?: (accountKey: number) => boolean;
  /** False while another process may be about to send in this one's place (CLUSTER-39). */
  isSure: () => Awaitable<boolean>;
  units: Pick<UnitCallers<typeof pushUnits>, 'dropPushToken' | 'settlePushes'>;
}

/** From queued messages to pushes. */
export class PushDelivery {
  readonly guard: EndpointGuard;
  readonly #ports: Ports;
  readonly #transports: Transports;
  readonly #backlog: Backlog;
  readonly #recipients: Recipients;
  readonly #lanes: Lanes;
  readonly #sending: Sending;
  readonly #settling: Settling;
  readonly #shown: Shown;
  readonly #takeBacks: TakeBacks;
  readonly #unconfirmed: Unconfirmed;
  readonly #returning = new Set<Timer>();
  /** While there is something to recover: messages that are not left of a former process. */
  #taken: Set<number> | null = null;
  #isClosed = false;

  constructor(ports: Ports) {
    const { config, clock, logger, random, units } = ports;
    this.#ports = ports;
    this.#unconfirmed = new Unconfirmed((accountKey, heardAt) =>
      ports.isElsewhere?.(accountKey) ? soon(clock.now()) : heardAt,
    );
    this.guard = new EndpointGuard({ allowPrivate: config.pushAllowPrivate });
    this.#transports = new Transports({ ...config, guard: this.guard, clock });
    this.#shown = new Shown(ports.read);
    this.#settling = new Settling(clock, logger, this.#shown, units.settlePushes);
    const shared = {
      ...ports,
      // Once the service stops nobody is: whoever had a socket has said goodbye by then, or never will.
      heardAt: (accountKey: number) => (this.#isClosed ? null : ports.heardAt(accountKey)),
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
    this.#lanes = new Lanes({
      clock,
      random,
      run: (job) => this.#sending.run(job),
      end: (messages) => this.#settling.end(messages),
      onRoom: (service) => {
        void this.#recipients.goOn(service);
        this.#takeBacks.goOn(service);
      },
    });
    this.#recipients = new Recipients({ ...shared, lanes: this.#lanes });
    this.#takeBacks = new TakeBacks({ ...shared, lanes: this.#lanes });
    this.#backlog = new Backlog(clock, (chatKey, messages) => this.#recipients.find(chatKey, messages));
  }

  /** What became of attempts since the start. */
  get counts(): Readonly<Record<PushOutcome['type'], number>> {
    return this.#sending.counts;
  }

  /** Pushes that wait or are under way. */
  get waiting(): number {
    return this.#lanes.size + this.#backlog.size + this.#recipients.postponed;
  }

  get dropped(): number {
    return this.#lanes.dropped + this.#backlog.dropped + this.#recipients.dropped;
  }

  /** Nothing is left to be done but what waits for a later try. */
  get isIdle(): boolean {
    const isFinding = this.#backlog.size > 0 || !this.#recipients.isIdle || !this.#takeBacks.isIdle;
    return !isFinding && this.#lanes.isIdle;
  }

  /** Takes up what a former process left, once clients have had the time to come back (PUSH-14). */
  async recover(): Promise<void> {
    const taken = (this.#taken = new Set());
    const left = await this.#ports.read.all(queuedPushes, MAX_RECOVERED);
    if (left.length === 0) this.#taken = null;
    else
      this.#whenBack(() => {
        this.#taken = null;
        this.#addLate(left.filter(({ message_key }) => !taken.has(message_key)));
      });
    this.recoverTakeBacks();
  }

  /** Sends the take-backs that a dead process left in the store, once clients have had the time to come back (PUSH-26). */
  recoverTakeBacks(): void {
    this.#whenBack(() => {
      this.#takeBacks.recover().catch((error: unknown) => {
        if (!this.#isClosed)
          this.#ports.logger.error({ err: error }, 'what devices are to take back could not be read');
      });
    });
  }

  /** Takes up what another process left, newest first, once clients have had the time to come back (PUSH-14). */
  takeUp(left: readonly QueuedPush[]): void {
    if (left.length > 0) this.#whenBack(() => this.#addLate(left));
  }

  #whenBack(act: () => void): void {
    if (this.#isClosed) return;
    const timer = this.#ports.clock.setTimer(() => {
      this.#returning.delete(timer);
      act();
    }, RETURN_MS);
    this.#returning.add(timer);
  }

  #addLate(left: readonly QueuedPush[]): void {
    for (const { message_key: messageKey, chat_key: chatKey, sender_key: senderKey } of left.toReversed())
      this.#backlog.add({ messageKey, chatKey, senderKey, isLate: true });
  }

  /** A message was stored, where somebody may have to be told of it. */
  take({ messageKey, chatKey, senderKey }: Omit<QueuedMessage, 'isLate'>): void {
    this.#taken?.add(messageKey);
    this.#backlog.add({ messageKey, chatKey, senderKey, isLate: false });
  }

  /** A message was edited: no push shows what it was. */
  forgetText(messageKey: number): void {
    this.#sending.forgetText(messageKey);
  }

  /** Something that devices of these accounts show may be over, or their badge another one (PUSH-20). */
  takeBack(intent: TakeBack): void {
    this.seenElsewhere(intent);
    this.#takeBacks.ask(intent.accountKeys);
  }

  /** … and another node sees to it: what this one has pushed, and has not stored yet, is stored as it is now. */
  seenElsewhere({ seenTo }: TakeBack): void {
    if (seenTo) this.#shown.seenTo(seenTo);
    this.#settling.wake();
  }

  /** A socket of an account is gone; what it swallowed since its last sign of life is pushed after all (PUSH-9). */
  socketGone(accountKey: number, socketHeardAt: number, isClean: boolean): void {
    if (this.#isClosed) return;
    const left = this.#ports.heardAt(accountKey);
    const heardAt = Math.max(socketHeardAt, left ?? 0);
    const lost = this.#unconfirmed.socketGone(accountKey, { isClean, heardAt, others: left !== null });
    this.#pushLost(accountKey, lost);
  }

  /** An account's socket on this node has closed: take-backs that waited for its last one are due now (PUSH-20). */
  askTakeBacks(accountKey: number): void {
    this.#takeBacks.ask([accountKey]);
  }

  /**
   * An account's socket on another node has closed. That node sends the take-backs, unless it held them back for a socket
   * that this node closed at the same moment: so a node that held back, too, looks again once the other has had its time.
   */
  socketGoneElsewhere(accountKey: number): void {
    if (this.#takeBacks.isHeldBack(accountKey)) this.#whenBack(() => this.#takeBacks.ask([accountKey]));
  }

  /** Looks at what has gathered, lets sends end within `patienceMs`; what is still to be sent is for the next start. */
  async stop(patienceMs: number): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const timer of this.#returning) timer.cancel();
    this.#recipients.stop();
    await this.#takeBacks.close();
    // Without patience nothing is begun that would be cut off.
    if (patienceMs <= 0) this.#lanes.close();
    await this.#backlog.close();
    await this.#recipients.idle();
    for (const [accountKey, lost] of this.#unconfirmed.takeAll()) this.#pushLost(accountKey, lost);
    await this.#recipients.idle();
    if (patienceMs > 0) {
      const patience = Promise.withResolvers<void>();
      const timer = this.#ports.clock.setTimer(patience.resolve, patienceMs);
      await Promise.race([this.#lanes.idle(), patience.promise]);
      timer.cancel();
    }
    this.#lanes.close();
    await this.#transports.close();
    await this.#lanes.idle();
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
