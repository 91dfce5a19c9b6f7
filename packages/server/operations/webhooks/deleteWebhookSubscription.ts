import { ofCaller } from '../../commits/unit-locks.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { deleteSubscription } from '../../store/webhook-subscriptions.ts';
import { unit } from '../handler.ts';

export default unit(
  'deleteWebhookSubscription',
  { locks: ofCaller, addsData: false },
  async ({ tx, caller }, { subscription_id }) => {
    if ((await tx.run(deleteSubscription, idBytes(subscription_id), caller.key)) === 0) throw notFound('subscription');
  },
);
