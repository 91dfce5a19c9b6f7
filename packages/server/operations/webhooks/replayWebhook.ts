import { ofCaller } from '../../commits/unit-locks.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { replayFrom, subscriptionById, subscriptionRecord } from '../../store/webhook-subscriptions.ts';
import { unit } from '../handler.ts';

/** Also begins a disabled subscription again (WEBHOOK-27). */
export default unit(
  'replayWebhook',
  { locks: ofCaller },
  async ({ tx, caller, now }, { subscription_id, from_seq }) => {
    const id = idBytes(subscription_id);
    const row = await tx.get(subscriptionById, id, caller.key);
    if (!row) throw notFound('subscription');
    await tx.run(replayFrom, row.key, from_seq, now);
    return subscriptionRecord({ ...row, cursor: from_seq, failing_since: null, failure: null, next_at: now });
  },
);
