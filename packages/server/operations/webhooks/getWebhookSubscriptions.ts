import { subscriptionRecord } from '../../rendering/records.ts';
import { subscriptionsOf } from '../../store/webhook-subscriptions.ts';
import { read } from '../handler.ts';

export default read('getWebhookSubscriptions', async ({ tx, caller }) => ({
  items: (await tx.all(subscriptionsOf, caller.key)).map(subscriptionRecord),
}));
