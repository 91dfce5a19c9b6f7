import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { idText } from '../ids.ts';
import { type PushContent, pushFor } from '../rules/push-delivery.ts';
import type { SqliteConnection } from '../store/engines/sqlite.ts';
import { isHidden } from '../store/messages.ts';
import { readDevicePrefs, readPrefs } from '../store/notifications.ts';
import { type PushTarget, pushTarget } from '../store/push-queue.ts';
import type { InternalUnits } from '../units/index.ts';
import { badgeOf, type PushableMessage, PushTexts } from './content.ts';
import type { Job } from './lane.ts';
import { isLive } from './liveness.ts';
import type { QueuedMessage } from './queued-message.ts';
import type { Settling } from './settling.ts';
import type { PushOutcome } from './transport.ts';
import type { Transports } from './transports.ts';
import type { Unconfirmed } from './unconfirmed.ts';

interface Ports {
  clock: Clock;
  logger: Logger;
  read: SqliteConnection;
  heardAt: (accountKey: number) => number | null;
  transports: Transports;
  settling: Settling;
  unconfirmed: Unconfirmed;
  dropToken: (token: Parameters<InternalUnits['dropPushToken']>[1]) => Promise<unknown>;
}

/** One push: what it says, whether it is to be sent at all, and what its service answers. */
export class Sending {
  readonly #ports: Ports;
  readonly #texts: PushTexts;
  /** What became of attempts since the start. */
  readonly counts: Record<PushOutcome['type'], number> = { sent: 0, gone: 0, retry: 0, failed: 0 };

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#texts = new PushTexts(ports.read);
  }

  async run(job: Job, hasWaited: boolean): Promise<'done' | { retryAfterMs: number | undefined }> {
    try {
      const outcome = await this.#send(job, hasWaited);
      if (!outcome) return 'done';
      this.counts[outcome.type] += 1;
      return outcome.type === 'retry' ? { retryAfterMs: outcome.afterMs } : 'done';
    } catch (error) {
      this.#ports.logger.error({ err: error }, 'a push failed');
      return 'done';
    }
  }

  /** Everything that decides is read here, when the push is sent, and again when it is tried again (PUSH-7). */
  async #send(job: Job, hasWaited: boolean): Promise<PushOutcome | null> {
    const { read, clock, transports } = this.#ports;
    const { accountKey, tokenKey, chatKey } = job;
    const target = read.get(pushTarget, tokenKey, clock.now(), accountKey, chatKey);
    const content = target && this.#contentOf(job, target, hasWaited);
    if (!content) return null;
    const { platform, token, address, registered_at: registeredAt } = target;
    const threadId = idText(target.chat_id);
    const badge = platform === 'ios' ? badgeOf(read, accountKey, readPrefs(target.prefs).badge) : null;
    const transport = await transports.get(platform);
    if (!transport) return { type: 'retry', reason: 'the service is stopping' };
    const outcome = await transport.send(token, { ...content, threadId, badge, topic: topicOf(threadId, accountKey) });
    this.#report(platform, outcome);
    if (outcome.type === 'gone' && (outcome.since ?? Infinity) >= registeredAt)
      await this.#drop({ tokenKey, address, registeredAt });
    return outcome;
  }

  /** Of the newest message that is to be pushed; null when none is. */
  #contentOf(job: Job, target: PushTarget, hasWaited: boolean): PushContent | null {
    const { clock, settling, unconfirmed } = this.#ports;
    const now = clock.now();
    const heardAt = this.#ports.heardAt(job.accountKey);
    const live = isLive(heardAt, now);
    if (live) {
      // Somebody has come back: these are there already, unless the connection turns out to be dead.
      unconfirmed.note(job.accountKey, heardAt, job.messages);
      settling.keep(job.messages);
    }
    for (const message of job.messages.toReversed()) {
      const content = this.#messageOf(job.accountKey, message, now);
      const isRead = target.read_key >= message.messageKey;
      if (!content || ((hasWaited || message.isLate) && isRead)) continue;
      const push = pushFor({
        recipient: {
          isLive: live,
          isSender: job.accountKey === message.senderKey,
          isMuted: target.is_muted === 1 && (target.muted_until === null || target.muted_until > now),
          prefs: readPrefs(target.prefs),
          device: target.device_prefs === null ? null : readDevicePrefs(target.device_prefs),
        },
        chat: { kind: target.chat_kind, title: target.chat_title },
        message: content,
      });
      if (push) return push;
    }
    return null;
  }

  #messageOf(accountKey: number, { messageKey }: QueuedMessage, now: number): PushableMessage | null {
    return this.#ports.read.get(isHidden, accountKey, messageKey) ? null : this.#texts.of(messageKey, now);
  }

  /** Says nothing of the token: whoever has it can push. */
  #report(platform: string, outcome: PushOutcome): void {
    const { logger } = this.#ports;
    if (outcome.type === 'failed') logger.warn({ platform, reason: outcome.reason }, 'a push was refused');
    if (outcome.type === 'retry') logger.debug({ platform, reason: outcome.reason }, 'a push did not go out yet');
  }

  async #drop(token: Parameters<InternalUnits['dropPushToken']>[1]): Promise<void> {
    try {
      await this.#ports.dropToken(token);
    } catch (error) {
      this.#ports.logger.warn({ err: error }, 'a dead push token could not be removed');
    }
  }
}

/** 32 characters that say nothing of the conversation to the push service, and differ from recipient to recipient (PUSH-10). */
const topicOf = (chatId: string, accountKey: number): string =>
  hash('sha256', `${chatId}:${accountKey}`, 'base64url').slice(0, 32);
