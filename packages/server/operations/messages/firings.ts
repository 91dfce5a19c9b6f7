import type { UnitCall } from '../../call.ts';
import { accountScope } from '../../events/kinds.ts';
import { agentsToFire, firingHop } from '../../rules/agent-replies.ts';
import { findMentions } from '../../rules/mentions.ts';
import { agentParticipants, type OwnChatRow, type ParticipantRow, participantsOf } from '../../store/chats.ts';
import { hasBlocked } from '../../store/blocks.ts';
import type { MessageRow } from '../../store/messages.ts';
import type { Sql } from '../../store/sql.ts';
import { countWaiting, insertTurn, type TurnRow } from '../../store/turns.ts';
import { firingsLeft, type Origin, originOf } from './firing-origin.ts';
import { alertOfLeftOut } from './left-out-alerts.ts';
import type { Timeline } from './timeline.ts';

/** Whom a message mentions and fires: worked out before it is stored, written down with it. */
export interface Firings {
  mentions: string[];
  dispatch: string[];
  agents: ParticipantRow[];
  /** Those that the message would fire, but for whom too much waits already (TURN-16). */
  refused: ParticipantRow[];
  origin: Origin;
}

interface Sent {
  chat: Pick<OwnChatRow, 'key' | 'agent_count'>;
  timeline: Timeline;
  sender: { key: number; username: string; kind: 'human' | 'agent' };
  text: string;
  isService: boolean;
  quoted: MessageRow | undefined;
  /** The turn that made the message, where it is known. */
  turn?: TurnRow | undefined;
}

const none = { agents: [], refused: [], dispatch: [] };

/** The participants whom a text mentions (MENTION-1). */
export async function mentionsIn(tx: Sql, chatKey: number, text: string): Promise<string[]> {
  if (!text.includes('@')) return [];
  const participants = await tx.all(participantsOf, chatKey);
  return findMentions(
    text,
    participants.map(({ username }) => username),
  );
}

/** The interface's dispatch table, applied to a message (DISPATCH-1). */
export async function findFirings(call: Pick<UnitCall, 'tx' | 'now' | 'settings'>, sent: Sent): Promise<Firings> {
  const { chat, sender, text } = sent;
  const mentions = await mentionsIn(call.tx, chat.key, text);
  const selfRooted: Origin = { humanKey: sender.key, rootMessageKey: 0, hop: 0, isUnprompted: false };
  if (chat.agent_count === 0 || sent.isService) return { mentions, ...none, sender, origin: selfRooted };
  // An agent fires by mention alone: without one there is nothing to look up.
  if (sender.kind === 'agent' && mentions.length === 0) return { mentions, ...none, sender, origin: selfRooted };
  const agents = await call.tx.all(agentParticipants, chat.key);
  const origin = sender.kind === 'human' ? selfRooted : await originOf(call.tx, sent, agents);
  const { firingsPerHumanMessage, firingsPerMessage, maxHops } = call.settings;
  const left =
    origin.rootMessageKey === 0
      ? firingsPerHumanMessage
      : await firingsLeft(call.tx, origin.rootMessageKey, firingsPerHumanMessage);
  const names = agentsToFire({
    sender,
    isService: false,
    mentioned: mentions,
    repliesTo: agents.find(({ account_key }) => account_key === sent.quoted?.sender_key)?.username ?? null,
    agents: agents.map((row) => ({
      username: row.username,
      alwaysOn: row.always_on === null ? null : row.always_on === 1,
    })),
    hop: origin.hop,
    maxHops,
    width: { perMessage: firingsPerMessage, left },
  });
  const due = names.flatMap((username) => agents.filter((row) => row.username === username));
  const refused = await withFullQueue(call, due, origin.humanKey);
  const fired = due.filter((agent) => !refused.includes(agent));
  const hop = firingHop({ sender, hop: origin.hop });
  return {
    mentions,
    dispatch: fired.map(({ username }) => username),
    agents: fired,
    refused,
    origin: { ...origin, hop },
  };
}

/**
 * A bot is not fired for a human whom its owner has blocked (BLOCK-10): its daemon would work at its owner's cost. A
 * provider's agent is: the human may have a key of its own (KEY-13).
 */
async function withoutBlocked(tx: Sql, agents: readonly ParticipantRow[], humanKey: number): Promise<ParticipantRow[]> {
  const bots = agents.filter(({ agent_provider }) => agent_provider === null);
  const blockers = new Set<number>();
  for (const owner of new Set(bots.map(({ account_key, parent_key }) => parent_key ?? account_key)))
    if (owner !== humanKey && (await hasBlocked(tx, owner, humanKey))) blockers.add(owner);
  if (blockers.size === 0) return [...agents];
  return agents.filter(
    (agent) => agent.agent_provider !== null || !blockers.has(agent.parent_key ?? agent.account_key),
  );
}

/** Those of the agents for whom as many firings of this human wait as may; a bot's wait with its daemon, not here. */
async function withFullQueue(
  { tx, settings: { turnsWaiting } }: Pick<UnitCall, 'tx' | 'settings'>,
  agents: readonly ParticipantRow[],
  humanKey: number,
): Promise<ParticipantRow[]> {
  const full: ParticipantRow[] = [];
  for (const agent of agents) {
    if (agent.agent_provider === null) continue;
    const waiting = await tx.get(countWaiting, agent.account_key, humanKey, turnsWaiting);
    if ((waiting?.count ?? 0) >= turnsWaiting) full.push(agent);
  }
  return full;
}

/**
 * Writes the firings of a stored message; those of the server's own agents are run after the commit. The human is told
 * of those that were refused.
 */
export async function storeFirings(
  call: Pick<UnitCall, 'tx' | 'now' | 'emit' | 'intend'>,
  firings: Firings,
  chatKey: number,
  timeline: Timeline,
  messageKey: number,
): Promise<void> {
  const { origin } = firings;
  for (const agent of firings.agents) {
    const runner = agent.agent_provider === null ? 'daemon' : 'server';
    await call.tx.get(
      insertTurn,
      messageKey,
      agent.account_key,
      chatKey,
      timeline.channelKey,
      timeline.threadKey,
      origin.humanKey,
      origin.rootMessageKey === 0 ? messageKey : origin.rootMessageKey,
      origin.hop,
      runner,
      call.now,
      Number(origin.isUnprompted),
    );
  }
  const lanes = firings.agents
    .filter(({ agent_provider }) => agent_provider !== null)
    .map(({ account_key }) => ({ agent_key: account_key, human_key: origin.humanKey }));
  if (lanes.length > 0) call.intend({ type: 'runTurns', lanes });
  const [first] = firings.refused;
  if (!first) return;
  const names = firings.refused.map(({ display_name }) => display_name).join(', ');
  const text = `No reply to this from ${names}: too many of your messages wait for one already. Ask again later.`;
  const params = { text, level: 'error', from: actorOf(first) };
  call.emit({ scope: accountScope(origin.humanKey), kind: 'alert', params });
}

/** The newest message of a human in a timeline, notices apart, if it is among the last 500 there. */
const newestHuman = statement<{ key: number; sender_key: number }, [chat: number, channel: number, thread: number]>(
  `SELECT r.key, r.sender_key FROM (
     SELECT m.key, m.sender_key FROM messages m WHERE m.chat_key = $1 AND m.channel_key = $2 AND m.thread_key = $3
       AND m.deleted_at IS NULL AND (m.marks & 4) = 0 ORDER BY m.key DESC LIMIT 500) r
   JOIN accounts a ON a.key = r.sender_key WHERE a.kind = 'human' ORDER BY r.key DESC LIMIT 1`,
);

/** The newest firing of an agent in a timeline since a human wrote there. */
export async function newestFiring(
  tx: Sql,
  agentKey: number,
  chatKey: number,
  { channelKey, threadKey }: Timeline,
): Promise<TurnRow | undefined> {
  const human = await tx.get(newestHuman, chatKey, channelKey, threadKey);
  return tx.get(newestTurn, agentKey, chatKey, channelKey, threadKey, human?.key ?? 0);
}

/** The chain that an agent's message belongs to: its own turn, else its newest since the newest human message. */
async function originOf(
  tx: Sql,
  { chat, timeline, sender, quoted, turn }: Sent,
  agents: readonly ParticipantRow[],
): Promise<Origin> {
  const { channelKey, threadKey } = timeline;
  const human = await tx.get(newestHuman, chat.key, channelKey, threadKey);
  const newestOf = (agentKey: number) => tx.get(newestTurn, agentKey, chat.key, channelKey, threadKey, human?.key ?? 0);
  const made = turn ?? (quoted && (await tx.get(turnOf, quoted.key, sender.key))) ?? (await newestOf(sender.key));
  if (made) return { humanKey: made.human_key, rootMessageKey: made.root_message_key, hop: made.hop };
  if (human) return { humanKey: human.sender_key, rootMessageKey: human.key, hop: 0 };
  // Agents alone have written for long: the chain that they went on with last is the one to count to (DISPATCH-16).
  let last: TurnRow | undefined;
  for (const { account_key } of agents) {
    const newest = await newestOf(account_key);
    if (newest && newest.key > (last?.key ?? 0)) last = newest;
  }
  if (last) return { humanKey: last.human_key, rootMessageKey: last.root_message_key, hop: 0 };
  const owner = (await tx.get(accountByKey, sender.key))?.parent_key ?? sender.key;
  return { humanKey: owner, rootMessageKey: 0, hop: 0 };
}
