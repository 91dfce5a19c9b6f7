import { join } from 'node:path';
import { SqliteConnection } from '@parley/server/store/engines/sqlite.ts';
import { createWorld } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';

embeddedTest('a file with a single writer')(
  'STORE-1: while a commit waits, reads, sockets and transient events still work',
  async () => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.group(alice, bob);
    const first = await alice.api.sendMessage({ chat_id, text: 'before' });
    const socket = await bob.socket();
    // Another connection locks the database, so the store thread waits.
    const other = new SqliteConnection(join(world.dataDir, 'parley.db'));
    other.exec('BEGIN IMMEDIATE');
    let isStored = false;
    const sent = alice.api.sendMessage({ chat_id, text: 'meanwhile' }).then((message) => {
      isStored = true;
      return message;
    });
    expect((await bob.api.getChatHistory({ chat_id })).items).toEqual([first]);
    expect(await socket.rpc('getChat', { chat_id })).toMatchObject({ id: chat_id });
    await alice.api.sendChatAction({ chat_id, action: 'typing' });
    await socket.event('typing');
    await (await alice.socket()).close();
    expect(isStored).toBe(false);
    other.exec('COMMIT');
    other.close();
    expect(await socket.event('messageNew')).toEqual(await sent);
  },
);

test('STORE-6: the reading connection cannot write', async () => {
  await using world = await createWorld();
  for (const sql of ["INSERT INTO meta (name, value) VALUES ('a', 'b')", 'DELETE FROM messages', 'DROP TABLE messages'])
    await expect((async () => world.service.read.run({ sql }))(), sql).rejects.toThrow(/read-?only/);
});
