import { invalid, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { replayFrom, subscriptionById } from '../../store/webhook-subscriptions.ts';
import { subscriptionRecord } from '../../rendering/records.ts';
import { ofCaller } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** Also begins a disabled subscription again (WEBHOOK-27). */
export default preparedUnit('replayWebhook', {
  async prepare(_call, _input, { log }: Needs<'log'>) {
    await log.catchUp();
    return { newest: log.published };
  },
  locks: ofCaller,
  async handle({ tx, caller }, { subscription_id, from_seq }, { newest }) {
    const id = idBytes(subscription_id);
    const row = await tx.get(subscriptionById, id, caller.key);
    if (!row) throw notFound('subscription');
    // It would be sent nothing until the log has that many events.
    if (from_seq > newest) throw invalid('from_seq', `is after the newest event, ${newest}`);
    await tx.run(replayFrom, row.key, from_seq);
    return subscriptionRecord({ ...row, cursor: from_seq, failing_since: null, failure: null, next_at: 0 });
  },
});
