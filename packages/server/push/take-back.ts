import type { UnitCall } from '../commits/unit-call.ts';
import { categoryOf, type ChatKind } from '../rules/push-delivery.ts';
import { readPrefs } from '../store/notifications.ts';
import {
  askBadges,
  askBadgesOf,
  badgeRuleIn,
  badgesIn,
  type Closed,
  dropShown,
  isClosed,
  markGone,
  markGoneIn,
  markOver,
  pushTokensOf,
  shownOn,
} from '../store/shown-pushes.ts';

const allowsBadge = ({ kind, prefs }: { kind: ChatKind; prefs: string | null }): boolean =>
  categoryOf(readPrefs(prefs), kind).enabled;

/**
 * Takes back pushes after an account has read or hidden messages, or left their conversation: marks the notifications
 * that its other devices still show, and requests updates of their badges. The session that did it updates its own
 * device (PUSH-20).
 */
export async function takeBackOwn(
  { tx, settings, intend, now }: Pick<UnitCall, 'tx' | 'settings' | 'intend' | 'now'>,
  chatKey: number,
  accountKey: number,
  sessionKey: number | null,
  closed: Closed,
): Promise<void> {
  if (!settings.pushes) return;
  const tokens = await tx.all(pushTokensOf, accountKey, sessionKey);
  if (tokens.length === 0) return;
  const own = tokens.filter(({ is_own }) => is_own === 1).map(({ key }) => key);
  const others = tokens.filter(({ is_own }) => is_own === 0).map(({ key }) => key);
  const rule = others.length > 0 ? await tx.get(badgeRuleIn, chatKey, accountKey, now) : undefined;
  const badgeKeys = rule && allowsBadge(rule) ? others : [];
  for (const row of own.length > 0 ? await tx.list(shownOn, own, chatKey, accountKey) : [])
    if (isClosed(closed, row.message_key)) await tx.run(dropShown, row.token_key, chatKey);
  if (others.length > 0) {
    await tx.run(markOver, chatKey, accountKey);
    if (badgeKeys.length > 0) await tx.list(askBadges, badgeKeys);
  }
  const seenTo = { chatKey, closed, tokenKeys: own, otherKeys: badgeKeys };
  intend({ type: 'takeBack', accountKeys: [accountKey], seenTo });
}

/** Takes back the pushes of a decision that has ended, on all devices: it needs nobody any more (DECIDE-7, PUSH-28). */
export async function takeBackEnded(
  { tx, settings, intend }: Pick<UnitCall, 'tx' | 'settings' | 'intend'>,
  messageKey: number,
): Promise<void> {
  if (!settings.pushes) return;
  const accountKeys = [...new Set((await tx.list(markGone, [messageKey])).map(({ account_key }) => account_key))];
  if (accountKeys.length > 0) intend({ type: 'takeBack', accountKeys });
}

/** Takes back pushes of messages that were deleted for all; `null` for those of a deleted channel. */
export async function takeBackGone(
  { tx, intend, now }: Pick<UnitCall, 'tx' | 'intend' | 'now'>,
  chatKey: number,
  messageKeys: readonly number[] | null,
): Promise<void> {
  const devices = messageKeys ? await tx.list(markGone, messageKeys) : await tx.all(markGoneIn, chatKey);
  const newest = messageKeys ? Math.max(...messageKeys) : Number.MAX_SAFE_INTEGER;
  const concerned = (await tx.all(badgesIn, chatKey, newest, now)).filter(allowsBadge);
  if (concerned.length > 0) {
    const accounts = concerned.map(({ account_key }) => account_key);
    devices.push(...(await tx.list(askBadgesOf, accounts)));
  }
  const accountKeys = [...new Set(devices.map(({ account_key }) => account_key))];
  if (accountKeys.length > 0) intend({ type: 'takeBack', accountKeys });
}
