import { runsOf } from '@parley/testing/depth.ts';
import type { Message } from '@parley/protocol';
import { type Actor, createWorld, type Follower, ManualClock, type World } from '@parley/testing';
import { DaemonStream } from '@parley/testing/world/daemon-stream.ts';
import { compareAll } from '@parley/testing/model/follower.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { subsets } from './caps-stage.ts';

const RUNS = Number(process.env['RUNS'] ?? runsOf(15));
/** A pause longer than the maximum delay of patches and activity. */
const LONG_MS = 2_500;

const piece = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('', '\n', '\n\n', '\r\n', '\r', 'a', ' word', '🙂', 'é\n', '👩‍👩‍👧‍👦', ' \n ', '```\n'),
  },
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(3_000), 'line\n'.repeat(300)) },
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const longLine = fc.constantFrom('y'.repeat(200 * 1024), `before\n${'é'.repeat(100 * 1024)}\nbehind`);
/** Which reply: the one in the conversation itself, or the one in its channel. */
const which = fc.nat({ max: 1 });
const who = fc.nat({ max: subsets.length - 1 });

const partStep = fc.oneof(
  fc.record({
    id: fc.constantFrom('a', 'b'),
    type: fc.constant('tool' as const),
    name: fc.constant('look'),
    status: fc.constantFrom('running' as const, 'done' as const),
    output: fc.option(fc.string({ unit: 'grapheme', maxLength: 30 }), { nil: undefined }),
  }),
  fc.record({ id: fc.constantFrom('a', 'c'), type: fc.constant('notice' as const), text: fc.constant('well') }),
  fc.record({ id: fc.constant('thought'), type: fc.constant('reasoning' as const), text }),
);

const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ append: text, which }) },
  { weight: 4, arbitrary: fc.record({ replace: text, which }) },
  { weight: 1, arbitrary: fc.record({ replace: longLine, which }) },
  { weight: 6, arbitrary: fc.record({ think: text, which }) },
  { weight: 4, arbitrary: fc.record({ part: partStep, which }) },
  // Changes, inserts or deletes one line.
  { weight: 3, arbitrary: fc.record({ line: fc.nat({ max: 20 }), by: fc.option(text, { nil: undefined }), which }) },
  { weight: 8, arbitrary: fc.record({ ms: fc.constantFrom(0, 1, 39, 40, 120, 500, 800) }) },
  { weight: 3, arbitrary: fc.record({ drop: who, losing: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ connect: who }) },
  { weight: 5, arbitrary: fc.record({ look: fc.constantFrom(0, 1, null), who, isAwaited: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ end: which }) },
  { weight: 1, arbitrary: fc.record({ comeBack: fc.constantFrom('restart' as const, 'crash' as const) }) },
  { weight: 3, arbitrary: fc.constant({ check: true as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Stage {
  world: World;
  clock: ManualClock;
  bot: Actor;
  /** The account whose clients follow, one for each set of caps. */
  reader: Actor;
  chatId: string;
  channelId: string;
}

test('CAPS-5, CAPS-7, LOG-17: after any writes, caps, reconnects and changes of focus a client’s text is the stored text', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice } = await world.people('alice');
  const bot = await world.bot(alice);
  let runs = 0;
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      runs += 1;
      const reader = await world.person(`reader${runs}`);
      const { id: chatId } = await world.group(alice, reader);
      await alice.api.addGroupAgent({ chat_id: chatId, agent_username: bot.username });
      const { id: channelId } = await alice.api.createChannel({ chat_id: chatId, title: 'other' });
      asked += await play({ world, clock, bot, reader, chatId, channelId }, steps);
    }),
    // Shrinking a failure takes too long on several nodes.
    {
      numRuns: RUNS,
      endOnFailure: world.isShared,
      ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }),
    },
  );
  process.stdout.write(`caps: ${runs} runs, ${asked} times a client asked for a draft\n`);
}, 600_000);

/** Returns how often a client had to request the whole text of an open reply. */
async function play(stage: Stage, steps: readonly Step[]): Promise<number> {
  const { world, clock, bot, reader, chatId, channelId } = stage;
  const timelines = [undefined, channelId].map((channel_id) => ({ chat_id: chatId, channel_id }));
  const begin = async (which: number) =>
    new DaemonStream(bot.api, await bot.api.startMessageStream(timelines[which] ?? { chat_id: chatId }));
  const replies = [await begin(0), await begin(1)];
  const reply = (which: number): DaemonStream => replies[which] ?? (replies[0] as DaemonStream); // it has two items
  const followers: Follower[] = [];
  for (const caps of subsets) followers.push(await reader.follow(caps));
  const follower = (who: number): Follower => followers[who] ?? (followers[0] as Follower); // not empty
  const ended: Message[] = [];
  const check = async (): Promise<void> => {
    await world.settle();
    await clock.advance(LONG_MS);
    await quiet(world, followers);
    const connected = followers.filter(({ socket }) => socket?.isOpen);
    await compareAll(connected);
    for (const message of ended)
      for (const { state } of connected) expect(state.find(message.id)?.content).toBe(message.content);
  };
  const perform = async (one: Step): Promise<unknown> => {
    if ('append' in one) return reply(one.which).append(one.append);
    if ('replace' in one) return reply(one.which).replace(one.replace);
    if ('think' in one) return reply(one.which).think(one.think);
    if ('part' in one) return reply(one.which).part(one.part);
    if ('line' in one) {
      const lines = reply(one.which).text.split('\n');
      lines.splice(
        one.line % (lines.length + 1),
        one.by === undefined || one.line % 2 === 0 ? 1 : 0,
        ...(one.by === undefined ? [] : [one.by]),
      );
      return reply(one.which).replace(lines.join('\n'));
    }
    if ('ms' in one) return clock.advance(one.ms);
    if ('drop' in one) return follower(one.drop).drop({ losing: one.losing });
    if ('connect' in one) return follower(one.connect).socket === null && follower(one.connect).connect();
    if ('look' in one) {
      const place = { conversation_id: chatId, channel_id: one.look === 1 ? channelId : null, thread_root_id: null };
      const looking = follower(one.who).setFocus(one.look === null ? null : place);
      return one.isAwaited && looking;
    }
    if ('end' in one) {
      ended.push(await reply(one.end).finish());
      replies[one.end] = await begin(one.end);
      return undefined;
    }
    if ('comeBack' in one) {
      await world[one.comeBack]();
      for (const each of followers) await each.drop();
      for (const each of replies) {
        // The daemon appends again what a crash lost.
        await each.append('');
      }
      return undefined;
    }
    return check();
  };
  for (const one of steps) await perform(one);
  for (const one of followers) if (one.socket === null) await one.connect();
  await check();
  for (const one of replies) ended.push(await one.finish());
  await check();
  for (const one of followers) await one.drop();
  return followers.reduce((sum, { recovered }) => sum + recovered.snapshots, 0);
}

/** Resolves when the clients have handled everything that was sent, and have fetched what they need. */
async function quiet(world: World, followers: readonly Follower[]): Promise<void> {
  for (let before = -1; ;) {
    await world.settle();
    for (const one of followers) await one.idle();
    const handled = followers.reduce((sum, one) => sum + one.handled, 0);
    if (handled === before) return;
    before = handled;
  }
}
