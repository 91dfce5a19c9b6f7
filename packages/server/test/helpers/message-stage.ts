import type { Message } from '@parley/protocol';
import type { Actor, World } from '@parley/testing';

export const missing = { status: 404, code: 'not_found' };

/** Alice and bob in alice's group, and a stranger outside it. */
export async function scene(world: World) {
  const people = await world.people('alice', 'bob', 'stranger');
  const chat = await world.group(people.alice, people.bob);
  return { ...people, chat, chat_id: chat.id, both: [people.alice, people.bob] };
}

export const historyOf = async (actor: Actor, chat_id: string): Promise<Message[]> =>
  (await actor.api.getChatHistory({ chat_id })).items;

export const textsOf = (messages: readonly Message[]): string[] => messages.map(({ content }) => content);
