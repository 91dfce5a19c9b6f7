import type { CommitPosition } from '@parley/server/commits/engines/commit-position.ts';
import { createWorld, ManualClock } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { storeOnSharedThread } from '@parley/testing/contracts/store-host.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';

embeddedTest('PostgreSQL shows a commit when it is on the disk')(
  'STORE-13: an answer, a page of updates and the greeting of a socket wait for the flush of what they were read from',
  async () => {
    let position: CommitPosition | undefined;
    await using world = await createWorld({
      // Nothing else is stored meanwhile.
      clock: new ManualClock(),
      startStore(options, given) {
        position = given;
        return storeOnSharedThread(options, given);
      },
    });
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.group(alice, bob);
    const { id } = await alice.api.sendMessage({ chat_id, text: 'hello' });
    const socket = await bob.socket();
    await world.settle();
    const ended: string[] = [];
    const note = (what: string, call: Promise<unknown>) => call.then(() => void ended.push(what));
    // As if the newest commit were still being flushed.
    position?.begin();
    const calls = [
      note('a page', alice.api.getChatHistory({ chat_id })),
      note('updates', alice.api.getUpdates({ since: 0 })),
      note('a message', socket.rpc('getMessages', { message_ids: [id] })),
      note('a greeting', alice.socket()),
      note('a search', alice.api.searchMessages({ query: 'hello' })),
    ];
    for (let turn = 0; turn < 300; turn += 1) await turnOfLoop();
    expect(ended).toEqual([]);
    position?.settle(position.begun);
    position?.release();
    await Promise.all(calls);
    expect(ended).toHaveLength(5);
  },
);
