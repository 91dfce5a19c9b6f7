import { everything } from '../../commits/unit-locks.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { endAgent } from '../../people/end-agent.ts';
import { managedWebhook } from '../../store/webhooks.ts';
import { unit } from '../handler.ts';

/** A webhook of a group that the caller does not manage gives the same 404 as an unknown one (WEBHOOK-7). */
export default unit('deleteWebhook', { locks: everything, addsData: false }, async (call, { webhook_id }) => {
  const webhook = await call.tx.get(managedWebhook, idBytes(webhook_id), call.caller.key);
  if (!webhook) throw notFound('webhook');
  await endAgent(call, { key: webhook.account_key, kind: 'agent' });
});
