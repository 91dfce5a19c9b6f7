import type { Conversation, Message, Params, PartOf } from '@parley/protocol';
import { type Actor, createWorld, type World } from '@parley/testing';
import type { WorldOptions } from '@parley/testing/world/world.ts';
import type { FakeBlock, ReplyScript } from '@parley/testing/providers/fake-reply.ts';
import { type FakeTool, type FakeToolServer, startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { type KeyedAgent, keyedAgent } from '../helpers/agents.ts';

/** A tool that only reads, of a closed world, and one that writes. */
const usualTools: Record<string, FakeTool> = {
  peek: { title: 'Look up', annotations: { openWorldHint: false }, run: () => 'the balance is 7' },
  pay: { title: 'Pay', run: ({ to }) => `paid ${String(to)}` },
};

type ToolServerInput = Params<'setAgentTools'>['servers'][number];

const listed = [
  { name: 'peek', writes: false },
  { name: 'pay', writes: true },
];

export interface Hands extends AsyncDisposable {
  world: World;
  server: FakeToolServer;
}

/** A world with a server of tools. */
export async function withHands(options: WorldOptions = {}, tools = usualTools): Promise<Hands> {
  const server = await startToolServer({ ...tools });
  const world = await createWorld({ ...options, env: { TOOL_ENDPOINTS: `public,${server.origin}`, ...options.env } });
  return {
    world,
    server,
    async [Symbol.asyncDispose]() {
      await world.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

export const serverInput = (
  server: Pick<FakeToolServer, 'url'>,
  more: Partial<ToolServerInput> = {},
): ToolServerInput => ({
  name: 'bank',
  url: server.url,
  identity: 'none',
  auth: 'none',
  approval: 'writes',
  tools: listed,
  ...more,
});

/** A call of the model of a tool of the server. */
export const calls = (tool: string, input: object = {}, server = 'bank'): FakeBlock => ({
  call: `${server}_${tool}`,
  input,
});

/** An answer of the model that calls tools. */
export const asking = (...chunks: (string | FakeBlock)[]): ReplyScript => ({ chunks, finish: 'tool_use' });

export interface HandsScene {
  ann: Actor;
  agent: KeyedAgent;
  chat: Conversation;
  /** What the model answers, request by request. */
  answers: (...scripts: ReplyScript[]) => void;
  /** Ann asks in her direct chat with the agent. */
  ask: (text?: string) => Promise<Message>;
  /** The reply of the agent, as ann reads it now. */
  reply: () => Promise<Message>;
  /** The messages of the agent that ask ann something, oldest first. */
  decisions: () => Promise<Message[]>;
  /** Ann decides the open decision, or the one of that place. */
  decide: (option: string, at?: number, fields?: Record<string, unknown>) => Promise<Message>;
}

/** Ann and her agent with tools, in their direct chat, or in a group with others. */
export async function scene(
  { world, server }: { world: World; server: Pick<FakeToolServer, 'url'> },
  { given = {}, others = [], asker }: { given?: Partial<ToolServerInput>; others?: Actor[]; asker?: Actor } = {},
): Promise<HandsScene> {
  const ann = asker ?? (await world.person('ann'));
  const agent = await keyedAgent(world, ann);
  await ann.api.setAgentTools({ username: agent.username, servers: [serverInput(server, given)] });
  const chat =
    others.length === 0 ? await ann.api.startChat({ username: agent.username }) : await world.group(ann, ...others);
  if (others.length > 0) await ann.api.addGroupAgent({ chat_id: chat.id, agent_username: agent.username });
  const history = async () => (await ann.api.getChatHistory({ chat_id: chat.id })).items;
  const ofAgent = async () => (await history()).filter(({ sender }) => sender.username === agent.username);
  const decisions = async () => (await ofAgent()).filter(({ decision }) => decision !== undefined);
  return {
    ann,
    agent,
    chat,
    answers(...scripts) {
      const waiting = [...scripts];
      world.providers.script(agent.key, () => waiting.shift() ?? { chunks: ['Nothing more.'] });
    },
    ask: (text = 'please') =>
      ann.api.sendMessage({ chat_id: chat.id, text: others.length === 0 ? text : `@${agent.username} ${text}` }),
    async reply() {
      const found = (await ofAgent()).findLast(({ decision }) => decision === undefined);
      if (!found) throw new Error('there is no reply yet');
      return found;
    },
    decisions,
    async decide(option, at, fields) {
      const all = await decisions();
      const asked = at === undefined ? all.find(({ decision }) => decision?.state === 'open') : all[at];
      return ann.api.decide({ decision_id: asked?.decision?.id ?? 'none is open', option, ...(fields && { fields }) });
    },
  };
}

/** Adds waiting replies of the person who asked last, as copies of the newest turn. */
export async function addWaiting(world: World, count: number): Promise<void> {
  const columns = 'message_key, agent_key, chat_key, channel_key, thread_key, human_key, root_message_key, hop, runner';
  for (let n = 0; n < count; n += 1)
    await world.sql(
      `INSERT INTO turns (${columns}, state, created_at, reply_key)
       SELECT ${columns}, 'waiting', created_at, message_key FROM turns ORDER BY key DESC LIMIT 1`,
    );
}

/** The parts of a reply that show calls. */
export const toolParts = (message: Message): PartOf<'tool'>[] =>
  (message.parts ?? []).filter((part): part is PartOf<'tool'> => part.type === 'tool');

/** What the model was told of its calls in the newest request. */
export function results(world: World, { key }: KeyedAgent): string[] {
  const body = world.providers.requestsOf(key).at(-1)?.body as unknown as {
    messages: { role: string; content: unknown }[];
  };
  return body.messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as { type: string; content?: unknown }[]) : []))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) =>
      typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text).join(''),
    );
}
