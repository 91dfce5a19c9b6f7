import { randomBytes } from 'node:crypto';
import { limits } from '@parley/protocol';
import { account, chat } from '../../commits/lock-names.ts';
import { invalid } from '../../core/errors.ts';
import { newIdBytes } from '../../core/ids.ts';
import { admitted } from '../../outbound/endpoint-guard.ts';
import { askPassword } from '../../people/prove-password.ts';
import { subscriptionBinding } from '../../secrets/seal.ts';
import { requireChat } from '../../access/chats.ts';
import { insertSubscription, subscriptionById, subscriptionsOf } from '../../store/webhook-subscriptions.ts';
import { subscriptionRecord } from '../../rendering/records.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

type SubscriptionRooms = Needs<'read' | 'clock' | 'passwordTries' | 'webhookReceivers' | 'keys' | 'log'>;

/** Begins with the events after the newest one (WEBHOOK-20). Its secret is stored sealed. */
export default preparedUnit('createWebhookSubscription', {
  withheld: ['password', 'secret'],
  async prepare(call, { url, secret: given, password }, rooms: SubscriptionRooms) {
    const address = URL.parse(url);
    if (!address) throw invalid('url', 'is not a URL');
    admitted('url', () => rooms.webhookReceivers.check(address));
    await askPassword(rooms, call, password);
    await rooms.log.catchUp();
    const id = newIdBytes(call.now);
    const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`;
    return { id, secret, sealed: rooms.keys.seal(secret, subscriptionBinding(id)), cursor: rooms.log.published };
  },
  // Locks the caller, because its subscriptions are counted.
  locks: ({ caller, input }) => [account(caller.key), ...(input.chat_id === undefined ? [] : [chat(input.chat_id)])],
  async handle(call, { url, events, chat_id }, { id, secret, sealed, cursor }) {
    const { tx, caller, now } = call;
    const only = chat_id === undefined ? undefined : await requireChat(call, chat_id);
    if ((await tx.all(subscriptionsOf, caller.key)).length >= limits.webhookSubscriptions)
      throw invalid('url', `would get subscription ${limits.webhookSubscriptions + 1} of this account`);
    const names = JSON.stringify([...new Set(events)]);
    await tx.get(insertSubscription, id, caller.key, only?.key ?? 0, url, names, sealed, cursor, now);
    const made = await tx.get(subscriptionById, id, caller.key);
    if (!made) throw new Error('a subscription that was just stored is missing');
    return { ...subscriptionRecord(made), secret };
  },
});
