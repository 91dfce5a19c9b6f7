import type { Message } from '@parley/protocol';
import { faults } from '@parley/server/store/references.ts';
import { type Actor, createWorld, type TestSocket, unknownId } from '@parley/testing';
import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { Random } from '@parley/testing/simulation/random.ts';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { upload } from '../helpers/file-stage.ts';

type Input = Parameters<Actor['api']['sendMessage']>[0];

interface Call {
  input: Input;
  answer: Promise<unknown>;
}

/** Messages that each person sends at once. */
const EACH = 60;
/** Different values of `client_msg_id` that a person uses. */
const CLIENT_IDS = 3;

/** Two groups of four people with a thread in each, and a bot in the first. Everybody has a draft in both. */
async function stage() {
  const world = await createWorld({ nodes: 1 });
  const { alice, bob, cleo, dora } = await world.people('alice', 'bob', 'cleo', 'dora');
  const people = [alice, bob, cleo, dora];
  const withBot = await world.group(alice, bob, cleo, dora);
  const bot = await botIn(world, alice, withBot);
  const { id: file } = await upload(alice, 'shared');
  const places = [];
  for (const { id: chat_id } of [withBot, await world.group(bob, alice, cleo, dora)]) {
    const { id: thread_root_id } = await alice.api.sendMessage({ chat_id, text: 'root', attachments: [{ id: file }] });
    for (const { api } of people) await api.saveDraft({ chat_id, text: 'unsent' });
    places.push({ chat_id, thread_root_id });
  }
  return { world, people, bot, file, places };
}

/** Any message: some in a thread, with a file, to the bot, to a quote that does not exist, or sent before. */
function anyInput(random: Random, { bot, file, places }: Awaited<ReturnType<typeof stage>>, number: number): Input {
  const { chat_id, thread_root_id } = random.pick(places) ?? { chat_id: '', thread_root_id: '' };
  const isRetry = random.chance(0.3);
  return {
    chat_id,
    text: isRetry ? 'retried' : `${number}${random.chance(0.1) ? ` @${bot.username}` : ''}`,
    ...(isRetry && { client_msg_id: String(random.below(CLIENT_IDS)) }),
    ...(random.chance(0.3) && { thread_root_id }),
    ...(random.chance(0.1) && { attachments: [{ id: file }] }),
    ...(random.chance(0.1) && { reply_to_message_id: unknownId }),
    ...(random.chance(0.1) && { clear_draft: true }),
  };
}

/** Expects the answers that a sender's calls have one after another; returns the stored messages. */
async function expectAnswers(calls: readonly Call[], firing: (input: Input) => string[]): Promise<Message[]> {
  const stored: Message[] = [];
  const sentBefore = new Map<string, { payload: string; message: Message }>();
  for (const { input, answer } of calls) {
    const { client_msg_id, clear_draft: _, ...rest } = input;
    const payload = JSON.stringify(rest);
    const key = `${input.chat_id} ${client_msg_id}`;
    const before = client_msg_id === undefined ? undefined : sentBefore.get(key);
    const outcome = await answer.catch((error: unknown) => error);
    if (before?.payload === payload) expect(outcome).toEqual(before.message);
    else if (before) expect(outcome).toMatchObject({ code: 'conflict' });
    else if (input.reply_to_message_id) expect(outcome).toMatchObject({ code: 'not_found' });
    else {
      expect(outcome).toMatchObject({ content: input.text, dispatch: firing(input) });
      const message = outcome as Message; // as the line before has checked
      stored.push(message);
      sentBefore.set(key, { payload, message });
    }
  }
  return stored;
}

function expectAscending(messages: readonly Message[]): void {
  const positions = messages.map(({ position }) => position);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
}

describeCluster('messages that are sent at once', () => {
  test.each([1, 2, 3])(
    'CLUSTER-52: they have the effects of messages sent one after another (seed %d)',
    async (seed) => {
      const random = new Random(seed);
      const scene = await stage();
      await using world = scene.world;
      const { people, bot, places } = scene;
      const sockets: TestSocket[] = [];
      for (const one of people) sockets.push(await one.socket());
      const calls = sockets.map((socket) =>
        Array.from({ length: EACH }, (_, number): Call => {
          const input = anyInput(random, scene, number);
          return { input, answer: socket.rpc('messages.send', input) };
        }),
      );
      const firing = ({ chat_id, text }: Input) =>
        text.includes('@') && chat_id === places[0]?.chat_id ? [bot.username] : [];
      const bySender = await Promise.all(calls.map((own) => expectAnswers(own, firing)));
      const stored = bySender.flat();
      await world.settle();

      for (const { chat_id, thread_root_id } of places) {
        const here = ({ conversation_id }: Message) => conversation_id === chat_id;
        for (const own of bySender) expectAscending(own.filter(here));
        for (const socket of sockets) expectAscending(socket.all('messageNew').filter(here));
        const replies = stored.filter((one) => one.thread_root_id === thread_root_id);
        const last = replies.toSorted((a, b) => a.position - b.position).at(-1);
        const { items = [] } = (await people[0]?.api.getChatHistory({ chat_id, limit: 200 })) ?? {};
        expect(items.find(({ id }) => id === thread_root_id)?.thread).toEqual({
          count: replies.length,
          last_at: last?.created_at,
        });
      }
      for (const [at, socket] of sockets.entries()) {
        expect(
          socket
            .all('messageNew')
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(stored.map(({ id }) => id).toSorted());
        // Each draft is cleared once, or is still there.
        const { items = [] } = (await people[at]?.api.getDrafts()) ?? {};
        expect(socket.all('draftUpdated').length + items.length).toBe(places.length);
      }
      const fired = stored.filter(({ dispatch }) => dispatch.length > 0).length;
      expect(await world.sql('SELECT count(*) AS count FROM turns')).toEqual([{ count: fired }]);
      for (const [what, { sql }] of Object.entries(faults)) expect(await world.sql(sql), what).toEqual([{ count: 0 }]);
    },
  );
});
