import { hash } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { idText } from '../core/ids.ts';
import { attachmentText } from '../rules/attachment-text.ts';
import { type PushWords, pushWordsOf } from '../rules/push-words.ts';
import { type PushContent, pushFor, wantsBadge, wantsPush } from '../rules/push-delivery.ts';
import { avatarUrl } from '../store/files.ts';
import { blockBetween } from '../store/blocks.ts';
import type { Sql } from '../store/sql.ts';
import { channelMute } from '../store/channel-mutes.ts';
import { isDecider } from '../store/decisions.ts';
import { isKept } from '../store/messages.ts';
import { readDevicePrefs, readPrefs } from '../store/notifications.ts';
import { type BadgeTarget, badgeTarget, type PushTarget, pushTarget } from '../store/push-queue.ts';
import { shownMessage } from '../store/shown-pushes.ts';
import { badgeOf, type PushableMessage, PushTexts } from './content.ts';
import type { Job } from './delivery-queue.ts';
import { isLive } from './liveness.ts';
import type { QueuedMessage } from './queued-message.ts';
import type { Settling } from './settling.ts';
import type { Shown } from './shown.ts';
import { takesExtras } from './subscription.ts';
import type { Place, Push } from './push-transport.ts';
import type { Unconfirmed } from './unconfirmed.ts';

interface ComposingNeeds {
  clock: Clock;
  read: Sql;
  heardAt: (accountKey: number) => number | null;
  settling: Settling;
  unconfirmed: Unconfirmed;
  shown: Shown;
}

/** A push, its target, and the message to record as shown once it is sent. */
export interface Composed {
  target: Omit<BadgeTarget, 'badge' | 'prefs' | 'device_prefs'>;
  push: Push;
  /** The message of the conversation that the device then shows, null for none; absent if the push changes nothing. */
  shows?: number | null;
}

/** Composes the push of a job. Reads the current state when it is sent, and again on every retry. */
export class Composing {
  readonly #needs: ComposingNeeds;
  readonly #texts: PushTexts;

  constructor(needs: ComposingNeeds) {
    this.#needs = needs;
    this.#texts = new PushTexts(needs.read);
  }

  forgetText(messageKey: number): void {
    this.#texts.forget(messageKey);
  }

  /**
   * Returns null if nothing must be sent. Messages that the account has read are taken back, never pushed (PUSH-21).
   */
  async of(job: Job): Promise<Composed | null> {
    if (job.chatKey === 0) return this.#badgePush(job);
    return (await this.#messagePush(job)) ?? this.#takeBack(job);
  }

  async #messagePush(job: Job): Promise<Composed | null> {
    const { read, clock } = this.#needs;
    const { accountKey, tokenKey, chatKey } = job;
    if (job.messages.length === 0) return null;
    const target = await read.get(pushTarget, tokenKey, clock.now(), accountKey, chatKey);
    const found = target && (await this.#contentOf(job, target));
    if (!found) return null;
    const chatId = idText(target.chat_id);
    const topic = topicOf(chatId, accountKey);
    // Without extras a push is only a title and a body. Devices that take no extras receive no take-backs.
    if (!takesExtras(target)) return { target, push: { topic, badge: null, alert: found.alert, place: null } };
    const place: Place = { chatId, messageId: found.messageId, position: found.messageKey };
    const badge = await badgeOf(read, accountKey, readPrefs(target.prefs).badge, clock.now());
    const icon = target.chat_avatar === null ? undefined : avatarUrl(target.chat_avatar);
    const push: Push = { topic, badge, alert: found.alert, place, ...(icon !== undefined && { icon }) };
    return { target, push, shows: found.messageKey };
  }

  /** Takes back a notification that is obsolete (PUSH-20). The take-back stays due while the account is live. */
  async #takeBack({ accountKey, tokenKey, chatKey }: Job): Promise<Composed | null> {
    const { read, clock, shown, settling } = this.#needs;
    const messageKey = await shown.messageOf(tokenKey, chatKey);
    if (messageKey === null) return null;
    const state = await read.get(shownMessage, messageKey, accountKey);
    const target = await read.get(badgeTarget, tokenKey, clock.now(), accountKey);
    if (!state || state.is_over === 0 || !target || this.#isLive(accountKey)) return null;
    const isQuiet = isMuted(state, clock.now()) || (await this.#isChannelMuted(accountKey, state.channel_key));
    const recipient = { isMuted: isQuiet, ...preferencesOf(target) };
    if (!takesExtras(target) || !wantsPush(recipient, state.chat_kind)) {
      shown.note({ tokenKey, accountKey, chatKey, messageKey: null });
      settling.wake();
      return null;
    }
    const { id, read_id: readId, read_key: readKey } = state;
    const isRead = readId !== null && readKey !== null && readKey >= messageKey;
    const [lastId, position] = isRead ? [readId, readKey] : [id, messageKey];
    const chatId = idText(state.chat_id);
    const place: Place = { chatId, messageId: idText(lastId), position };
    const badge = await badgeOf(read, accountKey, recipient.prefs.badge, clock.now());
    return { target, push: { topic: topicOf(chatId, accountKey), badge, alert: null, place }, shows: null };
  }

  /** Updates a device's badge that is out of date (PUSH-23). The update stays due while the account is live. */
  async #badgePush({ accountKey, tokenKey }: Job): Promise<Composed | null> {
    const { read, clock, shown, settling } = this.#needs;
    // Read before and after the query: the badge may be stored while the row is read.
    const noted = shown.badgeOf(tokenKey);
    const target = await read.get(badgeTarget, tokenKey, clock.now(), accountKey);
    if (!target || this.#isLive(accountKey)) return null;
    const { prefs, device } = preferencesOf(target);
    const lastSent = shown.badgeOf(tokenKey) ?? noted ?? target.badge;
    const isWanted = lastSent !== 0 && takesExtras(target) && wantsBadge(prefs, device);
    const badge = isWanted ? await badgeOf(read, accountKey, prefs.badge, clock.now()) : null;
    if (badge !== null && badge !== lastSent)
      return { target, push: { topic: topicOf('badge', accountKey), badge, alert: null, place: null } };
    shown.noteBadge({ tokenKey, badge: lastSent, asked: target.badge_asked, isOld: shown.isOld(tokenKey) });
    settling.wake();
    return null;
  }

  /** The content of the newest message that is to be pushed; null if there is none. */
  async #contentOf(
    job: Job,
    target: PushTarget,
  ): Promise<{ messageKey: number; messageId: string; alert: PushContent } | null> {
    const { clock, settling, unconfirmed } = this.#needs;
    const now = clock.now();
    const words = pushWordsOf(target.locale);
    const heardAt = this.#needs.heardAt(job.accountKey);
    const live = isLive(heardAt, clock.monotonic());
    if (live) {
      // The account has reconnected: its socket has these messages, unless the connection turns out to be dead.
      unconfirmed.note(job.accountKey, heardAt, job.messages);
      settling.keep(job.messages);
    }
    for (const message of job.messages.toReversed()) {
      if (await this.#needs.read.get(blockBetween, job.accountKey, message.senderKey)) continue;
      const content = await this.#messageOf(job.accountKey, message);
      if (!content || target.read_key >= message.messageKey) continue;
      const needsReader =
        content.isOpenDecision &&
        (await this.#needs.read.get(isDecider, message.messageKey, job.accountKey)) !== undefined;
      const text = textFor(content, words);
      const alert = pushFor({
        recipient: {
          isLive: live,
          isSender: job.accountKey === message.senderKey,
          isMuted: isMuted(target, now) || (await this.#isChannelMuted(job.accountKey, content.channelKey)),
          ...preferencesOf(target),
        },
        chat: { kind: target.chat_kind, title: target.chat_title },
        message: { ...content, text: needsReader ? `${words.needsYou}: ${text}` : text },
        words,
      });
      if (alert) return { messageKey: message.messageKey, messageId: content.id, alert };
    }
    return null;
  }

  async #isChannelMuted(accountKey: number, channelKey: number): Promise<boolean> {
    const { read, clock } = this.#needs;
    return channelKey !== 0 && (await read.get(channelMute, accountKey, channelKey, clock.now())) !== undefined;
  }

  #isLive(accountKey: number): boolean {
    return isLive(this.#needs.heardAt(accountKey), this.#needs.clock.monotonic());
  }

  async #messageOf(accountKey: number, { messageKey }: QueuedMessage): Promise<PushableMessage | null> {
    const now = this.#needs.clock.monotonic();
    return (await this.#needs.read.get(isKept, accountKey, messageKey)) ? this.#texts.of(messageKey, now) : null;
  }
}

const preferencesOf = ({ prefs, device_prefs }: Pick<BadgeTarget, 'prefs' | 'device_prefs'>) => ({
  prefs: readPrefs(prefs),
  device: device_prefs === null ? null : readDevicePrefs(device_prefs),
});

const isMuted = (mute: { is_muted: number | null; muted_until: number | null }, now: number): boolean =>
  mute.is_muted === 1 && (mute.muted_until === null || mute.muted_until > now);

/** 32 characters that reveal nothing of the conversation to the push service and differ per recipient (PUSH-10). */
const topicOf = (chatId: string, accountKey: number): string =>
  hash('sha256', `${chatId}:${accountKey}`, 'base64url').slice(0, 32);

/** The text of a message in a push, with the service's own words in the language of the device (PUSH-27). */
const textFor = ({ text, attachments, remindsOf }: PushableMessage, words: PushWords): string =>
  remindsOf === undefined ? text || attachmentText(attachments, words) : words.reminder(remindsOf);
