// Every way in which an agent comes to run: for whom it runs then, and whose key pays (KEY-10, DISPATCH-16 … 20).
import type { Message } from '@parley/protocol';
import { type Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { describe, expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { LATER_MS } from '../helpers/scheduled-stage.ts';

/**
 * Olga's agent, which has her key, in a group with Victor, who has none, and with Mallory's bot. Nobody else's messages
 * fire the agent unless a test lets them.
 */
async function stage(world: World, clock: ManualClock) {
  const { olga, victor, mallory } = await world.people('olga', 'victor', 'mallory');
  const agent = await keyedAgent(world, olga);
  const { username } = agent;
  world.providers.script(agent.key, { chunks: ['half'], finish: 'max_tokens', usage: { input: 3, output: 2 } });
  const group = await world.group(olga, victor, mallory);
  const chat_id = group.id;
  await olga.api.addGroupAgent({ chat_id, agent_username: username });
  const bot = await botIn(world, mallory, group);
  const { id: direct } = await victor.api.startChat({ username });
  const mode = (always_on: boolean, follows_threads = false) =>
    olga.api.setGroupAgentMode({ chat_id, agent_username: username, always_on, follows_threads });
  const send = (who: Actor, text: string, more: object = {}): Promise<Message> =>
    who.api.sendMessage({ chat_id, text, ...more });
  const calls = `@${username} hello`;
  const reply = async () => {
    await send(victor, calls);
    await world.turnsEnded();
    const { items } = await victor.api.getChatHistory({ chat_id });
    return items.findLast(({ sender }) => sender.username === username)?.id ?? '';
  };
  const stream = async (text: string, more: object = {}) => {
    const { id } = await bot.api.startMessageStream({ chat_id, ...more });
    await bot.api.finishMessageStream({ message_id: id, text });
  };
  const askBot = () => send(victor, `@${bot.username} please`);
  const letBotHear = (always_on: boolean) =>
    mallory.api.setGroupAgentMode({ chat_id, agent_username: bot.username, always_on });
  const hearsBot = async (answer: (heard: Message) => Promise<unknown>) => {
    await letBotHear(true);
    const heard = await send(victor, 'good morning');
    await letBotHear(false);
    await answer(heard);
  };
  const quoting = ({ id }: Message) => ({ reply_to_message_id: id });
  const hears = async (change: () => Promise<unknown>, say: () => Promise<unknown>) => {
    await change();
    await say();
    await mode(false);
  };

  /** The ways; each resolves when the agent may have been fired. What it prepares is not counted. */
  const ways: Record<string, () => Promise<() => Promise<unknown>>> = {
    mention: async () => () => send(victor, calls),
    quote: async () => {
      const id = await reply();
      return () => send(victor, 'why?', { reply_to_message_id: id });
    },
    'direct chat': async () => () => victor.api.sendMessage({ chat_id: direct, text: 'hello' }),
    always_on: async () => () =>
      hears(
        () => mode(true),
        () => send(victor, 'good morning'),
      ),
    follows_threads: async () => {
      await mode(false, true);
      const { id: thread_root_id } = await send(olga, 'a thread');
      await send(olga, calls, { thread_root_id });
      await world.turnsEnded();
      return async () => {
        await send(victor, 'and then?', { thread_root_id });
        await mode(false);
      };
    },
    poll: async () => () =>
      victor.api.sendMessage({ chat_id, text: '', poll: { question: calls, options: ['yes', 'no'] } }),
    forward: async () => {
      const { id } = await send(olga, 'pass it on');
      return () =>
        hears(
          () => mode(true),
          () => victor.api.forwardMessages({ message_ids: [id], to_chat_id: chat_id }),
        );
    },
    'scheduled message': async () => {
      const send_at = new Date(clock.now() + LATER_MS).toISOString();
      await victor.api.scheduleMessage({ chat_id, text: calls, send_at });
      return async () => {
        await clock.advance(LATER_MS);
        for (let tick = 0; tick < 3; tick += 1) {
          await clock.advance(1_000);
          await world.settle();
        }
      };
    },
    retry: async () => {
      const message_id = await reply();
      return () => victor.api.retryReply({ message_id });
    },
    continue: async () => {
      const message_id = await reply();
      return () => victor.api.continueReply({ message_id });
    },
    'component action': async () => {
      const shown = await send(bot, `${calls} {% button action="vote:yes" /%}`);
      return () => victor.api.sendComponentAction({ chat_id, message_id: shown.id, action: 'vote:yes' });
    },
    webhook: async () => {
      const { url } = await olga.api.createWebhook({ chat_id, display_name: 'CI' });
      return () =>
        fetch(world.url + url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ text: calls }),
        });
    },
    'service notice': async () => () => send(victor, calls, { service: { kind: 'note' } }),
    'stream of a bot that was asked': async () => {
      const question = await askBot();
      return () => stream(calls, quoting(question));
    },
    'stream without a quote of a bot that was asked': async () => {
      await askBot();
      return () => stream(calls);
    },
    'second stream of that bot': async () => {
      const question = await askBot();
      await stream('one moment', quoting(question));
      return () => stream(calls, quoting(question));
    },
    'quote of a bot that was asked': async () => {
      const question = await askBot();
      return () => send(bot, calls, quoting(question));
    },
    'stream of a bot that only heard': async () => () => hearsBot((heard) => stream(calls, quoting(heard))),
    'quote of a bot that only heard': async () => () => hearsBot((heard) => send(bot, calls, quoting(heard))),
    'unprompted message of a bot': async () => () => send(bot, calls),
    'quote of a message that did not fire the bot': async () => {
      const said = await send(victor, 'good morning');
      return () => send(bot, calls, quoting(said));
    },
  };

  /** `human: payer` of the agent's new turn; null if there is none, and `refused` if the call fails. */
  async function chargedFor(way: string): Promise<string | null> {
    const act = await ways[way]?.();
    await world.turnsEnded();
    const newest = async () =>
      (
        await world.sql<{ key: number; username: string; payer: string | null }>(
          `SELECT t.key, a.username, t.payer FROM turns t JOIN accounts a ON a.key = t.human_key
           WHERE t.runner = 'server' ORDER BY t.key DESC LIMIT 1`,
        )
      )[0];
    const before = await newest();
    const isRefused = await act?.().then(
      () => false,
      () => true,
    );
    await world.turnsEnded();
    const turn = await newest();
    if (isRefused) return 'refused';
    return turn && turn.key !== before?.key ? `${turn.username}: ${turn.payer ?? 'no key'}` : null;
  }
  return { olga, victor, mallory, agent, ways: Object.keys(ways), chargedFor };
}

const ofVictor = [
  'mention',
  'quote',
  'direct chat',
  'always_on',
  'follows_threads',
  'poll',
  'forward',
  'scheduled message',
  'retry',
  'continue',
];
const ofBotForVictor = [
  'stream of a bot that was asked',
  'stream without a quote of a bot that was asked',
  'quote of a bot that was asked',
];
const ofBotForMallory = [
  'second stream of that bot',
  'stream of a bot that only heard',
  'quote of a bot that only heard',
  'unprompted message of a bot',
  'quote of a message that did not fire the bot',
];
const ofNobody = ['component action', 'webhook', 'service notice'];

type Row = readonly [ways: readonly string[], charged: string | null];
const table = (rows: readonly Row[]): Record<string, string | null> =>
  Object.fromEntries(rows.flatMap(([ways, charged]) => ways.map((way) => [way, charged])));

/** What happens in every way, after a change of who may what. */
async function outcomes(
  change: (people: { olga: Actor; victor: Actor; agent: { username: string } }) => Promise<unknown>,
) {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const found: Record<string, string | null> = {};
  const { ways, chargedFor, ...people } = await stage(world, clock);
  await change(people);
  for (const way of ways) found[way] = await chargedFor(way);
  return found;
}

describe('who is charged when an agent of Olga runs', () => {
  test('KEY-10, DISPATCH-16, DISPATCH-19: nobody has blocked anybody', { tags: ['long'] }, async () => {
    expect(await outcomes(async () => {})).toEqual(
      table([
        [ofVictor, 'victor: owner'],
        [ofBotForVictor, 'victor: owner'],
        [ofBotForMallory, 'mallory: owner'],
        [ofNobody, null],
      ]),
    );
  });

  test(
    'KEY-10: Victor has a key of his own: it pays for what he asks, and for nothing that a bot thought of',
    { tags: ['long'] },
    async () => {
      const own = async ({ victor, agent }: { victor: Actor; agent: { username: string } }) =>
        victor.api.setMyBotConfig({ username: agent.username, secrets: { api_key: 'key-of-olga-for-provider_a' } });
      expect(await outcomes(own)).toEqual(
        table([
          [ofVictor, 'victor: asker'],
          [ofBotForVictor, 'victor: asker'],
          [ofBotForMallory, 'mallory: owner'],
          [ofNobody, null],
        ]),
      );
    },
  );

  test('DISPATCH-20: Olga has blocked Mallory: her bot fires the agent for nobody', { tags: ['long'] }, async () => {
    expect(await outcomes(async ({ olga }) => olga.api.blockUser({ username: 'mallory' }))).toEqual(
      table([
        [ofVictor, 'victor: owner'],
        [[...ofBotForVictor, ...ofBotForMallory, ...ofNobody], null],
      ]),
    );
  });

  test(
    'DISPATCH-20: Victor has blocked Mallory: her bot fires the agent for her alone',
    { tags: ['long'] },
    async () => {
      expect(await outcomes(async ({ victor }) => victor.api.blockUser({ username: 'mallory' }))).toEqual(
        table([
          [ofVictor, 'victor: owner'],
          [ofBotForVictor, null],
          [ofBotForMallory, 'mallory: owner'],
          [ofNobody, null],
        ]),
      );
    },
  );

  test(
    'KEY-10, KEY-13, BLOCK-3: Olga has blocked Victor: her key pays for nothing of his',
    { tags: ['long'] },
    async () => {
      expect(await outcomes(async ({ olga }) => olga.api.blockUser({ username: 'victor' }))).toEqual({
        ...table([
          [[...ofVictor, ...ofBotForVictor], 'victor: no key'],
          [ofBotForMallory, 'mallory: owner'],
          [ofNobody, null],
        ]),
        'direct chat': 'refused',
        // A reply that failed for want of a key has nothing to continue.
        continue: 'refused',
      });
    },
  );
});
