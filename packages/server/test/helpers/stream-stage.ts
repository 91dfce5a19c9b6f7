import type { Message } from '@parley/protocol';
import type { Actor, TestSocket, World } from '@parley/testing';
import { DaemonStream } from '@parley/testing/world/daemon-stream.ts';
import { expect } from 'vitest';
import { botIn } from './agents.ts';

/** The refusal of a call after the end of its stream. */
export const closed = { status: 409, code: 'conflict' };

/** Alice and bob in a group with alice's bot, and an open reply of the bot. */
export async function scene(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const begin = async (more: object = {}) =>
    new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id: chat.id, ...more }));
  return { alice, bob, bot, chat, chat_id: chat.id, begin, reply: await begin() };
}

export const messageOf = async (actor: Actor, id: string): Promise<Message | undefined> =>
  (await actor.api.getMessages({ message_ids: [id] })).items[0];

/** The frames of a socket about one message, in short form. */
export const framesAbout = (socket: TestSocket, id: string) =>
  socket.frames.flatMap(({ method, params }) =>
    params['id'] === id ? [[method.replace('events.', ''), params['delta'] ?? params['content']]] : [],
  );

/** Resolves when another node has taken over a dead node's open reply and published it whole (CLUSTER-8). */
export async function takenUp(world: World): Promise<void> {
  await expect.poll(() => world.sum(({ streams }) => streams.size)).toBe(1);
  await world.settle();
}
