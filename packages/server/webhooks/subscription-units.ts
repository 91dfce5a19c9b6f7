import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit, nothing } from '../commits/unit-locks.ts';
import { accountScope } from '../core/event-kinds.ts';
import { failureOf } from '../rules/webhook-failures.ts';
import { moveCursor, noteFailure, subscriptionByKey } from '../store/webhook-subscriptions.ts';

interface Moved {
  key: number;
  from: number;
  to: number;
}

interface Failed {
  key: number;
  cursor: number;
  attempts: number;
  failingSince: number;
  failure: string;
  /** Null disables the subscription. */
  nextAt: number | null;
  ownerKey: number;
}

// Both change one row by one statement, which does nothing if the row has changed since it was read.
export const webhookUnits = {
  /** The receiver has answered all events up to a number. False if the subscription was deleted or replayed meanwhile. */
  moveWebhookCursor: internalUnit(
    { locks: nothing },
    async ({ tx }: UnitCall, { key, from, to }: Moved): Promise<boolean> =>
      (await tx.run(moveCursor, key, from, to)) > 0,
  ),
  /** An attempt has failed; the owner learns of the last one (WEBHOOK-26). */
  failWebhook: internalUnit({ locks: nothing }, async (call: UnitCall, failed: Failed): Promise<void> => {
    const { key, cursor, attempts, failingSince, failure, nextAt, ownerKey } = failed;
    if ((await call.tx.run(noteFailure, key, cursor, attempts, failingSince, failure, nextAt)) === 0) return;
    const row = nextAt === null ? await call.tx.get(subscriptionByKey, key) : undefined;
    if (!row) return;
    const { host } = new URL(row.url);
    call.emit({
      scope: accountScope(ownerKey),
      kind: 'alert',
      params: {
        title: 'A webhook was disabled',
        text: `${host} has not accepted events for three days. Last failure: ${failure}.`,
        level: 'error',
        cause: { kind: 'webhook_disabled', host, failure, failure_cause: failureOf(failure) },
      },
    });
  }),
};
