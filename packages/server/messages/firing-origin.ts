// On whose behalf a message fires agents, and how many firings are left for it.
import { newestOfHumans } from '../store/timelines.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { accountByKey } from '../store/accounts.ts';
import type { MessageRow } from '../store/messages.ts';
import { type Sql } from '../store/sql.ts';
import { countFirings, countUnprompted, newestTurn, turnOf, type TurnRow } from '../store/turns.ts';
import type { Timeline } from './timeline.ts';

/**
 * How long after a bot was fired its message may count as an answer to that firing; also the period of an owner's
 * budget (DISPATCH-16).
 */
export const HOUR_MS = 3_600_000;

/** Where a chain of firings began. */
export interface Origin {
  /** The human whose settings and keys the agents run with. */
  humanKey: number;
  /** 0 if the message itself is the root. */
  rootMessageKey: number;
  hop: number;
  /** The chain began with a message that a bot sent unprompted; the human is that bot's owner. */
  isUnprompted: boolean;
}

interface AgentMessage {
  chat: { key: number };
  timeline: Timeline;
  sender: { key: number };
  quoted: MessageRow | undefined;
  /** The turn that wrote the message, if a turn did. */
  turn?: TurnRow | undefined;
}

type Call = Pick<UnitCall, 'tx' | 'now' | 'settings'>;

/**
 * The chain that an agent's message belongs to: that of the firing it answers. Otherwise the message is unprompted and
 * starts its own chain, on behalf of the bot's owner (DISPATCH-16).
 */
export async function originOf(call: Call, message: AgentMessage): Promise<Origin> {
  const { tx, now } = call;
  const { chat, timeline, sender, quoted, turn } = message;
  if (turn) return originOfTurn(turn);
  const since = now - HOUR_MS;
  const answered = quoted && (await tx.get(turnOf, quoted.key, sender.key));
  if (answered && answered.created_at > since) return originOfTurn(answered);
  const owner = (await tx.get(accountByKey, sender.key))?.parent_key ?? sender.key;
  // Bots that mention each other in unprompted messages stop after as many hops as other chains do (DISPATCH-10).
  const newest = await newestFiring(tx, sender.key, chat.key, timeline);
  const hop = newest && newest.created_at > since ? newest.hop : 0;
  return { humanKey: owner, rootMessageKey: 0, hop, isUnprompted: true };
}

export const originOfTurn = (turn: TurnRow): Origin => ({
  humanKey: turn.human_key,
  rootMessageKey: turn.root_message_key,
  hop: turn.hop,
  isUnprompted: turn.unprompted === 1,
});

/**
 * How many more agents may be fired: in the chain of one human message (DISPATCH-12), or by an owner's bots in an hour
 * (DISPATCH-16).
 */
export async function firingsLeft(
  { tx, now, settings }: Call,
  { humanKey, rootMessageKey, isUnprompted }: Origin,
): Promise<number> {
  if (isUnprompted) {
    const used = (await tx.get(countUnprompted, humanKey, now - HOUR_MS))?.count ?? 0;
    return settings.unpromptedFiringsPerHour - used;
  }
  const used = rootMessageKey === 0 ? 0 : ((await tx.get(countFirings, rootMessageKey))?.count ?? 0);
  return settings.firingsPerHumanMessage - used;
}

/** The newest firing of an agent in a timeline since a human wrote there. */
export async function newestFiring(
  tx: Sql,
  agentKey: number,
  chatKey: number,
  { channelKey, threadKey }: Timeline,
): Promise<TurnRow | undefined> {
  const human = await tx.get(newestOfHumans, chatKey, channelKey, threadKey);
  return tx.get(newestTurn, agentKey, chatKey, channelKey, threadKey, human?.key ?? 0);
}
