import type { Conversation } from '@parley/protocol';
import type { Actor, SteeredReply, World } from '@parley/testing';

/** Creates a bot and adds it to one of its owner's groups, mention-only. */
export async function botIn(world: World, owner: Actor, chat: Conversation, slug = 'bot'): Promise<Actor> {
  const bot = await world.bot(owner, slug);
  await owner.api.addGroupAgent({ chat_id: chat.id, agent_username: bot.username });
  return bot;
}

export interface KeyedAgent {
  username: string;
  key: string;
  /** Lets the test control the reply to the next request. */
  steer(): SteeredReply;
}

/** A person's provider agent, with a key. */
export async function keyedAgent(
  world: World,
  owner: Actor,
  provider: 'provider_a' | 'provider_b' = 'provider_a',
): Promise<KeyedAgent> {
  const key = `key-of-${owner.username}-for-${provider}`;
  await owner.api.setAgentKey({ provider, api_key: key });
  return { username: `${owner.username}:${provider}`, key, steer: () => world.providers.steer(key) };
}

/** A person's direct chat with their own provider agent. */
export async function agentChat(world: World, human: Actor): Promise<{ agent: KeyedAgent; chat: Conversation }> {
  const agent = await keyedAgent(world, human);
  return { agent, chat: await human.api.startChat({ username: agent.username }) };
}
