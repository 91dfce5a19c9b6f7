import { withPushes } from '@parley/testing/push/push-stage.ts';
import { expect, test } from 'vitest';

test('BLOCK-6: messages of a blocked account are not pushed in any conversation; messages of others are', async () => {
  await withPushes(async ({ world: pushing, push, pushed, aliceAndBob }) => {
    const { alice, bob, say } = await aliceAndBob({});
    const { cora } = await pushing.people('cora');
    const bot = await pushing.bot(alice);
    const { id: chat_id } = await pushing.group(alice, bob, cora);
    await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
    await say('pushed');
    await pushed();
    expect(push.received).toHaveLength(1);
    await bob.api.blockUser({ username: 'alice' });
    for (const { api } of [alice, bot]) {
      await api.sendMessage({ chat_id, text: 'unheard' });
      await pushed();
    }
    expect(push.received).toHaveLength(1);
    push.script('bob', {});
    await cora.api.sendMessage({ chat_id, text: 'heard' });
    await pushed();
    expect(push.received).toHaveLength(2);
  });
});
