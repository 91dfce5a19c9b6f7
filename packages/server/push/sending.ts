import type { Logger } from 'pino';
import type { Awaitable } from '../store/sql.ts';
import { type Composed, Composing } from './composing.ts';
import type { Job } from './delivery-queue.ts';
import type { DeadToken } from './push-units.ts';
import type { PushOutcome } from './push-transport.ts';
import type { PushTransports } from './push-transports.ts';

type ComposingNeeds = ConstructorParameters<typeof Composing>[0];

interface SendingNeeds extends ComposingNeeds {
  logger: Logger;
  transports: PushTransports;
  isSure: () => Awaitable<boolean>;
  dropToken: (token: DeadToken) => Promise<unknown>;
}

/** Sends one push: decides whether it is still needed, transmits it, and handles the outcome. */
export class Sending {
  readonly #needs: SendingNeeds;
  readonly #composing: Composing;
  /** Attempts by outcome, since the start. */
  readonly counts: Record<PushOutcome['type'], number> = { sent: 0, gone: 0, retry: 0, failed: 0 };

  constructor(needs: SendingNeeds) {
    this.#needs = needs;
    this.#composing = new Composing(needs);
  }

  forgetText(messageKey: number): void {
    this.#composing.forgetText(messageKey);
  }

  async run(job: Job): Promise<'done' | { retryAfterMs: number | undefined }> {
    const composed = await this.#compose(job);
    if (composed === 'unknown') return { retryAfterMs: undefined };
    if (!composed) return 'done';
    try {
      const outcome = await this.#send(job, composed);
      this.counts[outcome.type] += 1;
      return outcome.type === 'retry' ? { retryAfterMs: outcome.afterMs } : 'done';
    } catch (error) {
      this.#needs.logger.error({ err: error }, 'failed to handle a push');
      return 'done';
    }
  }

  /** Returns 'unknown' on a failed read, so that the push is retried rather than dropped. */
  async #compose(job: Job): Promise<Composed | null | 'unknown'> {
    const { shown, logger } = this.#needs;
    // Begins before anything is read, so that a badge that changes during the read is marked as out of date.
    shown.begin(job.tokenKey);
    let composed: Composed | null = null;
    try {
      composed = await this.#composing.of(job);
      return composed;
    } catch (error) {
      logger.error({ err: error }, 'failed to compose a push');
      return 'unknown';
    } finally {
      if (!composed) shown.end(job.tokenKey);
    }
  }

  async #send(job: Job, composed: Composed): Promise<PushOutcome> {
    const { shown } = this.#needs;
    let isOld = false;
    let outcome: PushOutcome;
    try {
      outcome = await this.#transmit(composed);
    } finally {
      isOld = shown.end(job.tokenKey);
    }
    if (outcome.type === 'sent') this.#note(job, composed, isOld);
    const { address, registered_at: registeredAt } = composed.target;
    if (outcome.type === 'gone' && (outcome.since ?? Infinity) >= registeredAt)
      await this.#drop({ tokenKey: job.tokenKey, address, registeredAt });
    return outcome;
  }

  async #transmit({ target: { platform, token }, push }: Composed): Promise<PushOutcome> {
    const transport = await this.#needs.transports.get(platform);
    if (!transport) return { type: 'retry', reason: 'the service is stopping' };
    if (!(await this.#needs.isSure())) return { type: 'retry', reason: 'another node may send it' };
    const outcome = await transport.send(token, push);
    this.#report(platform, outcome);
    return outcome;
  }

  /** Records what the device shows, after the service accepted the push. */
  #note({ tokenKey, accountKey, chatKey }: Job, { target, push, shows }: Composed, isOld: boolean): void {
    const { shown, settling } = this.#needs;
    if (shows !== undefined) shown.note({ tokenKey, accountKey, chatKey, messageKey: shows });
    if (push.badge !== null) shown.noteBadge({ tokenKey, badge: push.badge, asked: target.badge_asked, isOld });
    settling.wake();
  }

  /** Does not log the token: anyone who has it can push. */
  #report(platform: string, outcome: PushOutcome): void {
    const { logger } = this.#needs;
    if (outcome.type === 'failed') logger.warn({ platform, reason: outcome.reason }, 'a push was refused');
    if (outcome.type === 'retry') logger.debug({ platform, reason: outcome.reason }, 'a push will be retried');
  }

  async #drop(token: DeadToken): Promise<void> {
    try {
      await this.#needs.dropToken(token);
    } catch (error) {
      this.#needs.logger.warn({ err: error }, 'failed to remove a dead push token');
    }
  }
}
