import type { UnitCall } from '../commits/unit-call.ts';
import { webhooksBy } from '../store/webhooks.ts';
import { endAgent } from './end-agent.ts';

/** Ends the webhooks of a person in a group that it leaves or no longer manages (WEBHOOK-8). */
export async function endWebhooksBy(call: UnitCall, chat: { key: number }, personKey: number): Promise<void> {
  for (const { account_key: key } of await call.tx.all(webhooksBy, chat.key, personKey))
    await endAgent(call, { key, kind: 'agent' });
}
