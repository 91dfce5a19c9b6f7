import { withPushes } from '@parley/testing/push/push-stage.ts';
import { startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { expect, test } from 'vitest';
import { theService } from '../../calls/unit-queue.ts';
import { asking, calls, scene, toolParts, withHands } from './hands-stage.ts';

const SECRET = 'salary-of-anna';
const ANSWER = 'it-is-ninety';

/** The server answers with something that only the asker may know. */
const privy = { peek: { title: 'Look up', annotations: { openWorldHint: false }, run: () => ANSWER } };
const reads = { identity: 'asker' as const, tools: [{ name: 'peek', writes: false }] };

test('CALL-14, CALL-15: ★ what a call was asked and has answered reaches its asker alone, in answers and in no event, until it is shared', async () => {
  await using hands = await withHands({}, privy);
  const { world } = hands;
  const bob = await world.person('bob');
  const { ann, chat, answers, ask, reply, decisions, decide } = await scene(hands, { given: reads, others: [bob] });
  const chat_id = chat.id;
  answers(asking(calls('peek', { of: SECRET })), { chunks: ['I know it now.'] });
  const sockets = [await ann.socket('ext'), await bob.socket('ext'), await bob.socket()];
  await ask();
  await world.turnsEnded();
  // In a group a read with the credential of the asker asks first, and says who will read the reply.
  const [asked] = await decisions();
  expect(asked?.decision?.call).toMatchObject({ arguments: { of: SECRET }, writes: false, reads_to: ['ann', 'bob'] });
  await decide('once');
  await world.turnsEnded();
  const own = await reply();
  expect(toolParts(own)).toMatchObject([{ input: { of: SECRET }, output: ANSWER }]);
  const answersTo = async (actor: typeof ann): Promise<string> => {
    const message_ids = [own.id, asked?.id ?? ''];
    const seen = [
      await actor.api.getChatHistory({ chat_id }),
      await actor.api.getMessages({ message_ids }),
      await actor.api.getChats({}),
      await actor.api.getDecisions({}),
    ];
    return JSON.stringify(seen);
  };
  const holds = (text: string): boolean[] => [SECRET, ANSWER].map((word) => text.includes(word));
  expect(holds(await answersTo(ann))).toEqual([true, true]);
  expect(holds(await answersTo(bob))).toEqual([false, false]);
  for (const actor of [ann, bob])
    expect(holds(JSON.stringify(await actor.api.getUpdates({ since: 0 })))).toEqual([false, false]);
  for (const { frames } of sockets) expect(holds(JSON.stringify(frames))).toEqual([false, false]);

  const part_id = own.parts?.[0]?.id ?? '';
  const share = { message_id: own.id, part_id };
  await expect(bob.api.shareToolCall(share)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(ann.api.shareToolCall({ ...share, part_id: 'none' })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  const shared = await ann.api.shareToolCall(share);
  expect(toolParts(shared)).toMatchObject([{ input: { of: SECRET }, output: ANSWER, shared: true }]);
  await world.settle();
  expect(holds(await answersTo(bob))).toEqual([true, true]);
  expect(holds(JSON.stringify(sockets[1]?.frames))).toEqual([true, true]);
  expect(await ann.api.shareToolCall(share)).toEqual(shared);
  await ann.api.deleteMessages({ message_ids: [own.id] });
  expect(await world.sql('SELECT count(*) AS count FROM tool_calls WHERE arguments IS NOT NULL')).toEqual([
    { count: 0 },
  ]);
  expect(holds(await answersTo(bob))).toEqual([false, false]);
});

test('CALL-14: in a direct chat too neither what is stored nor an event nor a push has the arguments', async () => {
  await using server = await startToolServer({ pay: { run: () => ANSWER } });
  await withPushes(
    async ({ world, push, pushed }) => {
      const hands = { world, server, [Symbol.asyncDispose]: async () => {} };
      const { ann, answers, ask, decide } = await scene(hands);
      await ann.api.registerPushToken({ platform: 'web', token: push.subscribe('ann') });
      answers(asking(calls('pay', { to: SECRET })), { chunks: ['Done.'] });
      await ask();
      await world.turnsEnded();
      await pushed();
      expect(push.bodies('ann').length).toBeGreaterThan(0);
      const socket = await ann.socket('ext');
      const decided = await decide('once');
      // An answer to the asker's own call.
      expect(decided.decision?.call?.arguments).toEqual({ to: SECRET });
      await world.turnsEnded();
      await pushed();
      const everywhere = [
        await world.sql('SELECT record FROM messages'),
        await world.sql('SELECT value FROM decisions'),
        await world.sql('SELECT params FROM events'),
        await world.sql('SELECT arguments, result FROM tool_calls'),
        push.bodies('ann'),
        socket.frames,
      ];
      for (const word of [SECRET, ANSWER]) expect(JSON.stringify(everywhere)).not.toContain(word);
    },
    { env: { TOOL_ENDPOINTS: `public,${server.origin}` } },
  );
});

test('CALL-13: the ledger keeps for 90 days that there was a call whose reply is deleted, and others as long as their reply', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { ann, answers, ask, reply } = await scene(hands);
  for (const _ of [1, 2]) {
    answers(asking(calls('peek', { of: SECRET })), { chunks: ['Seen.'] });
    await ask();
    await world.turnsEnded();
  }
  await ann.api.deleteMessages({ message_ids: [(await reply()).id] });
  const rows = () => world.sql<{ arguments: string | null }>('SELECT arguments, result FROM tool_calls ORDER BY key');
  expect(await rows()).toEqual([
    { arguments: expect.any(String), result: expect.any(String) },
    { arguments: null, result: null },
  ]);
  const after = (days: number) =>
    world.lead.units.run('forgetCalls', theService, undefined, world.lead.clock.now() + days * 86_400_000);
  await after(89);
  expect(await rows()).toHaveLength(2);
  await after(91);
  expect(await rows()).toHaveLength(1);
});
