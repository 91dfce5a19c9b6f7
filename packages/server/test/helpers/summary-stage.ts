import type { Actor, World } from '@parley/testing';
import type { RecordedRequest, ReplyScript, SteeredReply } from '@parley/testing/providers/fake-reply.ts';
import { keyedAgent } from './agents.ts';
import { historyOf } from './message-stage.ts';

type Script = ReplyScript | SteeredReply;

export const isForSummary = ({ body }: RecordedRequest): boolean =>
  JSON.stringify(body).includes('You summarize a part');
export const bodies = (requests: readonly RecordedRequest[]): string[] =>
  requests.map(({ body }) => JSON.stringify(body));

/** Alice, her agent and bob in a group. Messages of bob are so long that only the newest three fit into a context. */
export async function summaryScene(world: World, provider: 'provider_a' | 'provider_b' = 'provider_a') {
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const agent = await keyedAgent(world, alice, provider);
  const { username } = agent;
  await alice.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  /** Sets what the model answers to a request for a summary, and otherwise. */
  const script = (summary: Script, reply: Script = { chunks: ['an answer'] }, key = agent.key): void =>
    world.providers.script(key, (request) => (isForSummary(request) ? summary : reply));
  script({ chunks: ['Bob counts.'] });
  let said = 0;
  const say = async (count: number, more: object = {}) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      said += 1;
      const text = `number ${said} ${'x'.repeat(9_000)}`;
      ids.push((await bob.api.sendMessage({ chat_id: chat.id, text, ...more })).id);
    }
    return ids;
  };
  const send = (by: Actor = alice, more: object = {}) =>
    by.api.sendMessage({ chat_id: chat.id, text: `@${username} ?`, ...more });
  /** The requests that a question causes. */
  const ask = async (by: Actor = alice, more: object = {}, key = agent.key) => {
    const before = world.providers.requestsOf(key).length;
    await send(by, more);
    await world.turnsEnded();
    return world.providers.requestsOf(key).slice(before);
  };
  const stored = () =>
    world.sql<{ text: string | null; through_key: number; from_key: number; messages: number; asker_key: number }>(
      'SELECT text, through_key, from_key, messages, asker_key FROM summaries ORDER BY asker_key',
    );
  const lastReply = async () => (await historyOf(alice, chat.id)).at(-1);
  return { alice, bob, chat_id: chat.id, agent, username, script, say, send, ask, stored, lastReply };
}

export const note = '[summary of 3 earlier messages]\\n  ```\\n  Bob counts.\\n  ```';
