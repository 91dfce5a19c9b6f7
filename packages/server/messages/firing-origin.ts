// On whose behalf a message fires agents, and how many firings are left for it.
import { newestOfHumans } from '../store/timelines.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { accountByKey } from '../store/accounts.ts';
import type { MessageRow } from '../store/messages.ts';
import type { Awaitable } from '../store/sql.ts';
import { countFirings, countQuote, countUnprompted, newestTurn, type TurnRow } from '../store/turns.ts';
import { CHAIN_MS, type AnswerKind, chainAfter } from '../rules/who-pays.ts';
import type { Timeline } from './timeline.ts';

/** Where a chain of firings began. */
export interface Origin {
  /** The human whose settings and keys the agents run with. */
  humanKey: number;
  /** 0 if the message itself is the root. */
  rootMessageKey: number;
  hop: number;
  /** The firings are at the cost of the sender's owner, who is the human: nobody had asked the sender. */
  isUnprompted: boolean;
}

interface AgentMessage {
  chat: { key: number };
  timeline: Timeline;
  sender: { key: number };
  /** The message that a plain message quotes; a reply stream answers a turn instead. */
  quoted: MessageRow | undefined;
  /** The turn that wrote the message, if a turn did. */
  turn?: TurnRow | undefined;
}

type Call = Pick<UnitCall, 'tx' | 'now' | 'settings'>;

/** The firing that an agent's message answers, and how. Counts a message that quotes (DISPATCH-16). */
export async function answerOf(
  { tx }: Pick<Call, 'tx'>,
  { sender, quoted, turn }: Pick<AgentMessage, 'sender' | 'quoted' | 'turn'>,
): Promise<{ kind: AnswerKind; turn: TurnRow } | undefined> {
  if (turn) return { kind: turn.runner === 'daemon' ? 'stream' : 'reply', turn };
  const quotedTurn = quoted && (await tx.get(countQuote, quoted.key, sender.key));
  return quotedTurn && { kind: 'quote', turn: quotedTurn };
}

/** The chain that an agent's message belongs to (DISPATCH-16, DISPATCH-19). */
export async function originOf(
  { tx, now }: Call,
  { chat, timeline, sender }: AgentMessage,
  answer: { kind: AnswerKind; turn: TurnRow } | undefined,
): Promise<Origin> {
  const turn = answer?.turn;
  const chain = chainAfter(
    answer?.kind ?? 'reply',
    turn && { isByHuman: turn.hop === 0, isAsked: turn.asked === 1, age: now - turn.created_at, quotes: turn.quotes },
  );
  if (turn && chain === 'same') return originOfTurn(turn);
  const humanKey = (await tx.get(accountByKey, sender.key))?.parent_key ?? sender.key;
  if (turn && chain === 'owner') return { ...originOfTurn(turn), humanKey, isUnprompted: true };
  // Bots that mention each other in unprompted messages stop after as many hops as other chains do (DISPATCH-10).
  const human = await tx.get(newestOfHumans, chat.key, timeline.channelKey, timeline.threadKey);
  const newest = await newestFiring({ tx, now }, sender.key, chat.key, timeline);
  const hop = newest && newest.message_key >= (human?.key ?? 0) ? newest.hop : 0;
  return { humanKey, rootMessageKey: 0, hop, isUnprompted: true };
}

export const originOfTurn = (turn: TurnRow): Origin => ({
  humanKey: turn.human_key,
  rootMessageKey: turn.root_message_key,
  hop: turn.hop,
  isUnprompted: turn.unprompted === 1,
});

/**
 * How many more agents may be fired: in the chain of one human message (DISPATCH-12), which a person has let go on
 * `timesOn` times (DISPATCH-22), and if nobody asked for them, at
 * the cost of their owner in an hour (DISPATCH-16).
 */
export async function firingsLeft(
  { tx, now, settings }: Call,
  { humanKey, rootMessageKey, isUnprompted }: Origin,
  timesOn: number,
): Promise<number> {
  const ofRoot = rootMessageKey === 0 ? 0 : ((await tx.get(countFirings, rootMessageKey))?.count ?? 0);
  const left = settings.firingsPerHumanMessage * (1 + timesOn) - ofRoot;
  if (!isUnprompted) return left;
  const ofOwner = (await tx.get(countUnprompted, humanKey, now - CHAIN_MS))?.count ?? 0;
  return Math.min(left, settings.unpromptedFiringsPerHour - ofOwner);
}

/** The newest firing of an agent in a timeline within the hour. */
export function newestFiring(
  { tx, now }: Pick<Call, 'tx' | 'now'>,
  agentKey: number,
  chatKey: number,
  { channelKey, threadKey }: Timeline,
): Awaitable<TurnRow | undefined> {
  return tx.get(newestTurn, agentKey, chatKey, channelKey, threadKey, now - CHAIN_MS);
}
