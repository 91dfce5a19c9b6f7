import type { ReceivedFrame } from '@parley/testing/model/frame-chain.ts';
import { type Actor, createWorld, ManualClock, type TestSocket, type World } from '@parley/testing';
import { DaemonStream } from '@parley/testing/world/daemon-stream.ts';

/** How long the service gathers text of a reply before it sends it. */
export const COALESCE_MS = 40;
/** Minimum time between two activity events of a reply. */
export const ACTIVITY_MS = 500;
/** All subsets of the caps for streaming replies, with their names in varying order, two of them with `ext`. */
export const subsets = [
  '',
  'patch',
  'focus',
  'patch,focus',
  'nodrafts',
  'nodrafts,patch',
  'focus,nodrafts',
  'patch,nodrafts,focus',
  'ext',
  'ext,focus,patch',
];

export interface Scene {
  world: World;
  clock: ManualClock;
  alice: Actor;
  bob: Actor;
  bot: Actor;
  chatId: string;
  /** Starts a reply of the bot. */
  begin: (timeline?: { channel_id?: string; thread_root_id?: string }) => Promise<DaemonStream>;
  /** Advances the clock, and waits until everything that is due has arrived. */
  pass: (ms: number) => Promise<void>;
}

/** A group of alice and bob, and a bot that writes there. */
export async function scene(): Promise<Scene & AsyncDisposable> {
  const clock = new ManualClock();
  const world = await createWorld({ clock });
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const { id: chatId } = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id: chatId, agent_username: bot.username });
  return {
    world,
    clock,
    alice,
    bob,
    bot,
    chatId,
    begin: async (timeline = {}) =>
      new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id: chatId, ...timeline })),
    async pass(ms) {
      await world.settle();
      await clock.advance(ms);
      await world.settle();
    },
    [Symbol.asyncDispose]: () => world.close(),
  };
}

export const focusOn = (socket: TestSocket, chatId: string, timeline: object = {}) =>
  socket.rpc('wsFocus', { socket: socket.hello.socket, focus: { chat_id: chatId, ...timeline } });

/** The frames about streaming replies and messages, as one word each. */
export const seen = (socket: TestSocket): string[] =>
  socket.frames
    .filter(({ method }) => method !== 'events.typing')
    .map(({ method, params }) => {
      const isWhole = method === 'events.messageNew' && params['status'] === 'streaming';
      return isWhole ? (params['content'] === '' ? 'placeholder' : 'snapshot') : method.replace('events.', '');
    });

/** The frames that this socket alone was sent: neither its next frame nor its head names them (CAPS-9). */
export async function aloneIn(socket: TestSocket): Promise<ReceivedFrame[]> {
  const { head } = (await socket.rpc('getUpdates', { since: socket.chain.lastSeq })) as { head: number };
  const alone: ReceivedFrame[] = [];
  let named = head;
  for (const frame of socket.frames.toReversed())
    if (frame.seq === named) named = frame.prev;
    else alone.unshift(frame);
  return alone;
}

/** Starts this many replies of the bot, each with a text of this many bytes. */
export async function drafts({ begin, pass }: Scene, count: number, bytes: number): Promise<DaemonStream[]> {
  const replies: DaemonStream[] = [];
  for (let at = 0; at < count; at += 1) {
    const reply = await begin();
    await reply.append('x'.repeat(bytes));
    replies.push(reply);
  }
  await pass(ACTIVITY_MS);
  return replies;
}
