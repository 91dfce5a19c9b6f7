import type { UnitCall } from '../commits/unit-call.ts';
import { account, named } from '../commits/lock-names.ts';
import { everything, internalUnit, nothing, pushMarks } from '../commits/unit-locks.ts';
import { dropDeadToken, unmarkChat } from '../store/notifications.ts';
import { adoptPushes, dequeuePushes, type QueuedPush } from '../store/push-queue.ts';
import { addServiceKey, serviceKey } from '../store/service-keys.ts';
import { forgetShownOfDead, type ShownBadge, type ShownPush } from '../store/shown-pushes.ts';
import { VAPID_KEY } from './made-vapid.ts';
import { storeShown } from './store-shown.ts';

/** Maximum pushes adopted per call; the next call adopts the rest. */
const MAX_ADOPTED = 1_000;

export interface Settled {
  done: number[];
  quietChats: number[];
  shown: ShownPush[];
  badges: ShownBadge[];
}

/**
 * Deletes queue rows that are no longer needed and the marks of conversations without tokens; stores what devices show.
 */
export const settlePushes = internalUnit(
  {
    // Locks the accounts, because the rows of their devices change, and the push marks: no token may be registered and
    // no member may join while a conversation is unmarked.
    locks: ({ input }) => [
      ...new Set(input.shown.map(({ accountKey }) => account(accountKey))),
      ...(input.quietChats.length > 0 ? [pushMarks] : []),
    ],
  },
  async (call: UnitCall, { done, quietChats, shown, badges }: Settled): Promise<void> => {
    const { tx } = call;
    await tx.list(dequeuePushes, done);
    for (const chatKey of quietChats) await tx.run(unmarkChat, chatKey);
    await storeShown(call, shown, badges);
  },
);

/** Assigns pushes of dead nodes to this node, newest first, and returns them for sending. */
export const takeOverPushes = internalUnit(
  {
    // If two units ran at the same time, the second would wait for the rows of the first and then adopt them too.
    locks: () => [named('left pushes')],
  },
  async ({ tx, node }: UnitCall, gone: readonly number[]): Promise<QueuedPush[]> =>
    tx.list(adoptPushes, gone, node, MAX_ADOPTED),
);

/** A token that its push service rejected as unknown, as it was when the push was sent. */
export interface DeadToken {
  tokenKey: number;
  address: string;
  registeredAt: number;
}

/** Deletes a token that its push service has rejected as unknown (PUSH-12). */
export const dropPushToken = internalUnit(
  {
    // Needs no lock: it changes the rows of one token, and other units skip rows of a deleted token.
    locks: nothing,
  },
  async ({ tx }: UnitCall, input: DeadToken): Promise<void> => {
    await tx.run(forgetShownOfDead, input.tokenKey, input.address, input.registeredAt);
    await tx.run(dropDeadToken, input.tokenKey, input.address, input.registeredAt);
  },
);

/** Stores the sealed Web Push key, unless another node has stored one. Returns the one that is stored (NOTIF-12). */
export const keepVapidKey = internalUnit(
  { locks: everything },
  async ({ tx }: UnitCall, sealed: string): Promise<string> => {
    await tx.run(addServiceKey, VAPID_KEY, sealed);
    return (await tx.get(serviceKey, VAPID_KEY))?.sealed ?? sealed;
  },
);

export const pushUnits = { dropPushToken, keepVapidKey, settlePushes, takeOverPushes } as const;
