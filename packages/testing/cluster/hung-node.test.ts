import { expect, test } from 'vitest';
import { type Client, createClient } from '@parley/client';
import { describeWithPostgres } from '../servers/postgres.ts';
import { describeWithRedis } from '../servers/redis.ts';
import { startFakeProviders } from '../providers/fake-providers.ts';
import { ProcessCluster } from './process-cluster.ts';

const NOTICED_MS = 10_000;
const SERVED_MS = 15_000;
const PATIENCE_MS = 60_000;

/** A person with a connection, and what it has heard of. */
function openAt(url: string, user: string) {
  const client = createClient({ url, token: `dev:${user}`, caps: ['ext'] });
  const heard: string[] = [];
  client.on('messageNew', ({ content }) => void heard.push(content));
  client.on('typing', ({ is_typing }) => void heard.push(`typing ${is_typing}`));
  return { client, heard };
}

const isLive = async (client: Client): Promise<void> => {
  await expect.poll(() => client.state, { timeout: PATIENCE_MS }).toBe('live');
};

describeWithPostgres('A node that hangs', () =>
  describeWithRedis('beside another', () => {
    test(
      'CLUSTER-53: the others notice within 10 s, and its people are served within 15 s',
      {
        timeout: 4 * PATIENCE_MS,
      },
      async () => {
        const providers = await startFakeProviders();
        await using cluster = await ProcessCluster.start({
          env: { ...providers.env, DEV_TOKENS: '1' },
          clockShiftsMs: [0, 0],
        });
        const [hung, other] = [cluster.at(0), cluster.at(1)];
        // Ann is connected to the node that will hang, Bob to the other.
        cluster.balancer.takeOut(other.process.url);
        const ann = openAt(cluster.url, 'ann');
        await isLive(ann.client);
        cluster.balancer.putIn(other.process.url);
        cluster.balancer.takeOut(hung.process.url);
        const bob = openAt(cluster.url, 'bob');
        await isLive(bob.client);
        const { id: chat_id } = await bob.client.call('startChat', { username: 'ann' });
        await bob.client.call('sendMessage', { chat_id, text: 'before' });
        await expect.poll(() => ann.heard, { timeout: PATIENCE_MS }).toContain('before');

        const hungAt = performance.now();
        const sinceMs = () => performance.now() - hungAt;
        hung.process.signal('SIGSTOP');
        await bob.client.call('sendMessage', { chat_id, text: 'after' });
        await cluster.until('the node is given up', async () => {
          const rows = await cluster.sql<{ key: number }>('SELECT key FROM nodes');
          return !rows.some(({ key }) => key === hung.key);
        });
        expect(sinceMs()).toBeLessThan(NOTICED_MS);
        await expect.poll(() => ann.heard, { timeout: PATIENCE_MS }).toContain('after');
        await bob.client.call('sendChatAction', { chat_id, action: 'typing' });
        await expect.poll(() => ann.heard, { timeout: PATIENCE_MS }).toContain('typing true');
        await ann.client.call('sendMessage', { chat_id, text: 'back again' });
        await expect.poll(() => bob.heard, { timeout: PATIENCE_MS }).toContain('back again');
        expect(sinceMs()).toBeLessThan(SERVED_MS);
        // It does not wake up: its watchdog has ended it.
        hung.process.signal('SIGCONT');
        expect(await hung.process.ended).toBe('SIGKILL');
        expect(ann.heard.filter((text) => text === 'after')).toEqual(['after']);
        for (const { client } of [ann, bob]) client.close();
        await providers.close();
      },
    );

    test(
      'CLUSTER-53: a node that wakes up after it was given up stores, publishes and reports nothing, and exits',
      {
        timeout: 4 * PATIENCE_MS,
      },
      async () => {
        await using cluster = await ProcessCluster.start({
          env: { DEV_TOKENS: '1', WATCHDOG: '0' },
          clockShiftsMs: [0, 0],
        });
        const [frozen, other] = [cluster.at(0), cluster.at(1)];
        const bobs = openAt(other.process.url, 'bob');
        const { client: bob, heard } = bobs;
        await isLive(bob);
        const { client: ann } = openAt(frozen.process.url, 'ann');
        await isLive(ann);
        const { id: chat_id } = await bob.call('startChat', { username: 'ann' });
        await bob.call('sendMessage', { chat_id, text: 'hello' });
        await ann.call('sendMessage', { chat_id, text: 'hello' });
        const typing = () => heard.filter((text) => text.startsWith('typing'));
        await ann.call('sendChatAction', { chat_id, action: 'typing' });
        await expect.poll(typing, { timeout: PATIENCE_MS }).toEqual(['typing true']);

        frozen.process.signal('SIGSTOP');
        // The system takes the call for the process, which reads it when it wakes up.
        const late = ann.call('sendMessage', { chat_id, text: 'stale' }).then(
          () => 'stored',
          () => 'refused',
        );
        await expect.poll(typing, { timeout: PATIENCE_MS }).toEqual(['typing true', 'typing false']);
        const presence = async () => (await bob.call('getPresence', { usernames: ['ann'] })).items[0]?.status;
        await expect.poll(presence, { timeout: PATIENCE_MS }).toBe('offline');
        frozen.process.signal('SIGCONT');
        expect(await frozen.process.ended).toBe(1);
        expect(await late).toBe('refused');
        const { items } = await bob.call('getChatHistory', { chat_id });
        expect(items.map(({ content }) => content)).not.toContain('stale');
        expect(await presence()).toBe('offline');
        expect(typing()).toEqual(['typing true', 'typing false']);
        for (const client of [ann, bob]) client.close();
      },
    );
  }),
);
