import type { UnitCall } from '../../call.ts';
import { agentsToFire, firingHop } from '../../rules/agent-replies.ts';
import { findMentions } from '../../rules/mentions.ts';
import { agentParticipants, type OwnChatRow, type ParticipantRow, participantsOf } from '../../store/chats.ts';
import { accountByKey } from '../../store/accounts.ts';
import type { MessageRow } from '../../store/messages.ts';
import { type Sql, statement } from '../../store/sql.ts';
import { firingsLeft, insertTurn, newestTurn, turnOf, type TurnRow } from '../../store/turns.ts';
import type { Timeline } from './timeline.ts';

/** Where a chain of firings began. `rootMessageKey` is 0 for a message that is the root itself. */
interface Origin {
  humanKey: number;
  rootMessageKey: number;
  hop: number;
}

/** Whom a message mentions and fires: worked out before it is stored, written down with it. */
export interface Firings {
  mentions: string[];
  dispatch: string[];
  agents: ParticipantRow[];
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

const none = { agents: [], dispatch: [] };

/** The interface's dispatch table, applied to a message (DISPATCH-1). */
export async function findFirings(call: Pick<UnitCall, 'tx' | 'settings'>, sent: Sent): Promise<Firings> {
  const { chat, sender, text } = sent;
  const mentions = text.includes('@')
    ? findMentions(
        text,
        (await call.tx.all(participantsOf, chat.key)).map(({ username }) => username),
      )
    : [];
  const selfRooted: Origin = { humanKey: sender.key, rootMessageKey: 0, hop: 0 };
  if (chat.agent_count === 0 || sent.isService) return { mentions, ...none, origin: selfRooted };
  // An agent fires by mention alone: without one there is nothing to look up.
  if (sender.kind === 'agent' && mentions.length === 0) return { mentions, ...none, origin: selfRooted };
  const agents = await call.tx.all(agentParticipants, chat.key);
  const origin = sender.kind === 'human' ? selfRooted : await originOf(call.tx, sent);
  const { firingsPerHumanMessage, firingsPerMessage, maxHops } = call.settings;
  const left =
    origin.rootMessageKey === 0
      ? firingsPerHumanMessage
      : await firingsLeft(call.tx, origin.rootMessageKey, firingsPerHumanMessage);
  const dispatch = agentsToFire({
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
  const hop = firingHop({ sender, hop: origin.hop });
  return {
    mentions,
    dispatch,
    agents: dispatch.flatMap((username) => agents.filter((row) => row.username === username)),
    origin: { ...origin, hop },
  };
}

/** Writes the firings of a stored message; those of the server's own agents are run after the commit. */
export async function storeFirings(
  call: Pick<UnitCall, 'tx' | 'now' | 'intend'>,
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
    );
  }
  if (firings.agents.some(({ agent_provider }) => agent_provider !== null)) call.intend({ type: 'runTurns' });
}

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
async function originOf(tx: Sql, { chat, timeline, sender, quoted, turn }: Sent): Promise<Origin> {
  const { channelKey, threadKey } = timeline;
  const human = await tx.get(newestHuman, chat.key, channelKey, threadKey);
  const made =
    turn ??
    (quoted && (await tx.get(turnOf, quoted.key, sender.key))) ??
    (await tx.get(newestTurn, sender.key, chat.key, channelKey, threadKey, human?.key ?? 0));
  if (made) return { humanKey: made.human_key, rootMessageKey: made.root_message_key, hop: made.hop };
  if (human) return { humanKey: human.sender_key, rootMessageKey: human.key, hop: 0 };
  const owner = (await tx.get(accountByKey, sender.key))?.parent_key ?? sender.key;
  return { humanKey: owner, rootMessageKey: 0, hop: 0 };
}
