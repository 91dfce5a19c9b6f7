import type { Message, Result } from '@parley/protocol';
import { type Actor, ManualClock, type World } from '@parley/testing';
import { agentChat } from '../helpers/agents.ts';

/** A person alone with their agent, and a function that asks it and returns the finished reply. */
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

/** A clock whose date can jump without running the timers in between. */
export class Calendar extends ManualClock {
  #shift = 0;

  override now(): number {
    return super.now() + this.#shift;
  }

  skip(ms: number): void {
    this.#shift += ms;
  }
}

/** Usage records as lines of `agent username input output replies`. */
export const lines = ({ items }: Result<'getUsage'>): string[] =>
  items.map((item) => [item.agent, item.username, item.input_tokens, item.output_tokens, item.replies].join(' '));

/** This month's usage records of all of an owner's agents, as lines. */
export const booked = async (owner: Actor): Promise<string[]> => lines(await owner.api.getUsage());
