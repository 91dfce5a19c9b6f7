import { createClient } from '@parley/client';
import { expect, test } from 'vitest';
import { Random } from '../simulation/random.ts';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';
import { createWorld } from '../world/world.ts';
import { ChaosProxy } from './chaos-proxy.ts';
import { fastClock, keptStorage } from './device.ts';

const CUTS = Number(process.env['CUTS'] ?? 30);
const PATIENCE_MS = 10_000;

test(
  'SDK-24: wherever the connection is cut, and whenever the page is closed, every message is stored once, in order',
  async () => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    const chat = await world.group(alice, bob);
    await using proxy = await ChaosProxy.start(world.url);
    const random = new Random(1);
    const storage = keptStorage();
    const open = () =>
      createClient({ url: proxy.url, token: alice.token, account: 'alice', storage, clock: fastClock });
    let client = open();
    const sent: string[] = [];
    for (let cut = 0; cut < CUTS; cut += 1) {
      // Cut at any byte of requests, replies, frames and handshakes.
      if (random.chance(0.5)) proxy.cutAfterSentBytes = random.below(1_200);
      else proxy.cutAfterBytes = random.below(2_500);
      for (let at = 0; at < 1 + random.below(3); at += 1) {
        const text = `message ${sent.length}`;
        sent.push(text);
        client.send({ chat_id: chat.id, text });
        for (let turn = random.below(20); turn > 0; turn -= 1) await turnOfLoop();
      }
      if (random.chance(0.2)) {
        client.close();
        client = open();
      }
      const giveUpAt = performance.now() + PATIENCE_MS;
      while (client.outbox.entries.get().length > 0 || storage.values.size > 0) {
        if (performance.now() > giveUpAt) throw new Error(`cut ${cut}: ${JSON.stringify(client.outbox.entries.get())}`);
        await turnOfLoop();
      }
    }
    client.close();
    const stored: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await alice.api.getChatHistory({ chat_id: chat.id, limit: 200, cursor });
      stored.unshift(...page.items.map(({ content }) => content));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(stored).toEqual(sent);
  },
  Math.max(60_000, CUTS * 1_000),
);
