import type { UnitCall } from '../commits/unit-call.ts';
import { account, named } from '../commits/lock-names.ts';
import { internalUnit, nothing, pushMarks } from '../commits/unit-locks.ts';
import { dropDeadToken, unmarkChat } from '../store/notifications.ts';
import { adoptPushes, dequeuePushes, type QueuedPush } from '../store/push-queue.ts';
import { forgetShownOfDead, type ShownBadge, type ShownPush, storeShown } from '../store/shown-pushes.ts';

/** Adopted at once; the others come next. */
const MOST_ADOPTED = 1_000;

export interface Settled {
  done: number[];
  quietChats: number[];
  shown: ShownPush[];
  badges: ShownBadge[];
}

/**
 * Deletes rows of the queue that nobody needs any more, and the marks of conversations where nobody has a token; stores
 * what devices show.
 */
export const settlePushes = internalUnit(
  {
    // Rows of each account's devices; a conversation is unmarked while no token is registered and no member joins.
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

/** The pushes of nodes that are gone are this one's from now on: some of the newest, which it is to send. */
export const takeOverPushes = internalUnit(
  {
    // Of two units at once, the second would wait for the rows of the first and then adopt them too.
    locks: () => [named('left pushes')],
  },
  async ({ tx, node }: UnitCall, gone: readonly number[]): Promise<QueuedPush[]> =>
    tx.list(adoptPushes, gone, node, MOST_ADOPTED),
);

/** A token that its push service does not know, as it was when the push was sent. */
export interface DeadToken {
  tokenKey: number;
  address: string;
  registeredAt: number;
}

/** Forgets a token that its push service does not know any more (PUSH-12). */
export const dropPushToken = internalUnit(
  {
    // One token's row; units that refer to a token that is gone skip it.
    locks: nothing,
  },
  async ({ tx }: UnitCall, input: DeadToken): Promise<void> => {
    await tx.run(forgetShownOfDead, input.tokenKey, input.address, input.registeredAt);
    await tx.run(dropDeadToken, input.tokenKey, input.address, input.registeredAt);
  },
);

export const pushUnits = { dropPushToken, settlePushes, takeOverPushes } as const;
