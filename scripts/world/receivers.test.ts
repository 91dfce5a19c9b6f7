import { createWorld } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { Receiver } from '@parley/server/test/webhooks/receiver.ts';
import { expect, test } from 'vitest';
import { fromNpm, PATIENCE_MS } from './installed.ts';

/** The class that both packages export. */
type Webhook = new (secret: string) => { verify(body: string, headers: Record<string, string>): unknown };

test.each([
  ['standardwebhooks', '1.1.1'],
  ['svix', '2.5.0'],
])(
  'WEBHOOK-21: %s %s verifies what a receiver gets, and refuses what was changed',
  { ...needs('bash'), timeout: PATIENCE_MS },
  async (name, version) => {
    await using packages = await fromNpm({ [name]: version });
    const { Webhook } = (await packages.load(name)) as { Webhook: Webhook }; // its documented class
    await using receiver = await Receiver.start();
    await using world = await createWorld({ env: receiver.env });
    const { ann, bob } = await world.people('ann', 'bob');
    const { id: chat_id } = await world.group(ann, bob);
    const url = `${receiver.origin}/events`;
    const { secret } = await ann.api.createWebhookSubscription({ url, events: ['messageNew'] });
    await bob.api.sendMessage({ chat_id, text: 'hello' });
    await expect.poll(() => receiver.got.length).toBeGreaterThan(0);
    const [{ text, headers }] = receiver.got as [Receiver['got'][number]]; // one has arrived
    const given = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]));
    expect(given['user-agent']).toMatch(/^Parley\//);
    expect(() => new Webhook(secret).verify(text, given)).not.toThrow();
    expect(() => new Webhook(secret).verify(text.replace('hello', 'hallo'), given)).toThrow(/signature/i);
  },
);
