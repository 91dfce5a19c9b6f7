import { type BuiltInTool, builtInTool, type Conversation, type Message } from '@parley/protocol';
import type { Actor, World } from '@parley/testing';
import type { FakeBlock, ReplyScript } from '@parley/testing/providers/fake-reply.ts';
import { type KeyedAgent, keyedAgent } from '../helpers/agents.ts';
import { asking, results } from './hands-stage.ts';

/** All but the one that asks a vendor for a picture. */
export const allOwnTools: BuiltInTool[] = builtInTool.options.filter((tool) => tool !== 'draw_picture');

/** A call of the model of one of the service's own tools. */
export const own = (tool: BuiltInTool, input: object = {}): FakeBlock => ({ call: tool, input });

export interface OwnScene {
  ann: Actor;
  agent: KeyedAgent;
  chat: Conversation;
  answers: (...scripts: ReplyScript[]) => void;
  /** Somebody asks the agent, ann if nobody else is named; resolves when its turn rests. */
  ask: (text?: string, asker?: Actor) => Promise<Message>;
  /** The agent makes these calls, and the model gets these results. */
  told: (...calls: FakeBlock[]) => Promise<string[]>;
  reply: () => Promise<Message>;
  decisions: () => Promise<Message[]>;
}

/** Ann and her agent with the service's own tools, in their direct chat, or in a group with others. */
export async function ownScene(
  world: World,
  {
    tools = allOwnTools,
    others = [],
    provider = 'provider_a',
  }: { tools?: BuiltInTool[]; others?: Actor[]; provider?: 'provider_a' | 'provider_b' } = {},
): Promise<OwnScene> {
  const ann = await world.person('ann');
  const agent = await keyedAgent(world, ann, provider);
  await ann.api.updateAgent({ username: agent.username, built_in_tools: tools });
  const chat =
    others.length === 0 ? await ann.api.startChat({ username: agent.username }) : await world.group(ann, ...others);
  if (others.length > 0) await ann.api.addGroupAgent({ chat_id: chat.id, agent_username: agent.username });
  const ofAgent = async () =>
    (await ann.api.getChatHistory({ chat_id: chat.id })).items.filter(
      ({ sender }) => sender.username === agent.username,
    );
  const answers = (...scripts: ReplyScript[]): void => {
    const waiting = [...scripts];
    world.providers.script(agent.key, () => waiting.shift() ?? { chunks: ['Nothing more.'] });
  };
  const ask = async (text = 'please', asker = ann): Promise<Message> => {
    const asked = others.length === 0 ? text : `@${agent.username} ${text}`;
    const sent = await asker.api.sendMessage({ chat_id: chat.id, text: asked });
    await world.turnsEnded();
    return sent;
  };
  return {
    ann,
    agent,
    chat,
    answers,
    ask,
    async told(...calls) {
      answers(asking(...calls), { chunks: ['Done.'] });
      await ask();
      return results(world, agent).slice(-calls.length);
    },
    async reply() {
      const found = (await ofAgent()).findLast(({ decision }) => decision === undefined);
      if (!found) throw new Error('there is no reply yet');
      return found;
    },
    decisions: async () => (await ofAgent()).filter(({ decision }) => decision !== undefined),
  };
}
