import type { Message, Result } from '@parley/protocol';
import { type Actor, ManualClock, type World } from '@parley/testing';
import { agentChat } from '../helpers/agents.ts';

/** Somebody and their own agent alone, and how they ask it something: answers the reply, once it has ended. */
export async function usageStage(world: World, username = 'alice') {
  const alice = await world.person(username);
  const { agent, chat } = await agentChat(world, alice);
  const chat_id = chat.id;
  const lastReply = async (): Promise<Message | undefined> =>
    (await alice.api.getChatHistory({ chat_id })).items.findLast(({ sender }) => sender.kind === 'agent');
  const send = () => alice.api.sendMessage({ chat_id, text: '?' });
  const ask = async (): Promise<Message | undefined> => {
    await send();
    await world.turnsEnded();
    return lastReply();
  };
  return { alice, agent, chat_id, ask, send, lastReply };
}

/** A clock whose date can be changed without all that would happen in between. */
export class Calendar extends ManualClock {
  #shift = 0;

  override now(): number {
    return super.now() + this.#shift;
  }

  skip(ms: number): void {
    this.#shift += ms;
  }
}

/** A line of the books as `agent username input output replies`. */
export const lines = ({ items }: Result<'getUsage'>): string[] =>
  items.map((item) => [item.agent, item.username, item.input_tokens, item.output_tokens, item.replies].join(' '));

/** What all agents of somebody have used in this month, in and out. */
export const booked = async (owner: Actor): Promise<string[]> => lines(await owner.api.getUsage());
