import type { LeftOut } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import {
  agentsDue,
  type DueReason,
  firingHop,
  FOLLOWS_FOR_MS,
  isLastHop,
  keepsFollowing,
  withinWidth,
} from '../rules/agent-replies.ts';
import type { TextReading } from '../rules/text-reading.ts';
import { agentParticipants, type OwnChatRow, type ParticipantRow } from '../store/chats.ts';
import { hasBlocked } from '../store/blocks.ts';
import { turnOwner } from '../store/accounts.ts';
import type { MessageRow } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';
import {
  countWaiting,
  followersOf,
  heldTurns,
  insertTurn,
  openTurnOf,
  setTurnState,
  type TurnRow,
} from '../store/turns.ts';
import { isAskedBy } from '../rules/who-pays.ts';
import { barredByChain, sendersInChain } from './chain-blocks.ts';
import { holdingOf, timesGoneOn } from './chain-stops.ts';
import { answerOf, firingsLeft, type Origin, originOf } from './firing-origin.ts';
import { type Mentioned, mentionsIn } from './mentions-in.ts';
import { alertOfLeftOut } from './left-out-alerts.ts';
import type { Timeline } from './timeline.ts';

/**
 * The participants that a message mentions, and the agents that it fires: decided before the message is stored, and
 * stored with it.
 */
export interface Firings {
  mentioned: Mentioned;
  dispatch: string[];
  agents: Fired[];
  /** Agents that the message does not fire because their turn queue is full (TURN-16). */
  refused: ParticipantRow[];
  /** Agents that the message does not fire because of the limits of DISPATCH-11, DISPATCH-12 and DISPATCH-16. */
  leftOut: ParticipantRow[];
  /** Of the agents that a limit of the chain leaves out those that may be held until a person lets it go on (DISPATCH-22). */
  stopped: Fired[];
  /** What the message says of the agents that a limit leaves out (DISPATCH-21); nothing if it is a person's. */
  shownLeftOut: LeftOut | undefined;
  sender: Sent['sender'];
  origin: Origin;
}

/** An agent that a message fires, why, and whether the message asked it (DISPATCH-19). */
export type Fired = ParticipantRow & { reason: DueReason; isAsked: boolean };

interface Sent {
  chat: Pick<OwnChatRow, 'key' | 'kind' | 'agent_count'>;
  timeline: Timeline;
  /** A webhook passes on the words of strangers, so its messages make no agent work (WEBHOOK-6). */
  sender: { key: number; username: string; kind: 'human' | 'agent'; isWebhook?: true };
  text: string;
  /** What stands in the text; a short text is read here. */
  reading?: TextReading | undefined;
  isService: boolean;
  quoted: MessageRow | undefined;
  /** The only agent that the message fires, as if it mentioned it (SCHED-8). */
  fires?: string | undefined;
  /** Agents that the message has fired before, when it ended for the first time. */
  fired?: readonly string[];
  /** The turn that wrote the message, if a turn did. */
  turn?: TurnRow | undefined;
}

const none = { agents: [], refused: [], leftOut: [], stopped: [], shownLeftOut: undefined, dispatch: [] };

/** Maximum number of agents that a message names as left out; the others are counted. */
const NAMES_LEFT_OUT = 32;

/** Applies the interface's dispatch table to a message (DISPATCH-1). */
export async function findFirings(
  call: Pick<UnitCall, 'tx' | 'now' | 'settings' | 'inTurn'>,
  sent: Sent,
): Promise<Firings> {
  const { chat, sender, text } = sent;
  const mentioned = await mentionsIn(call.tx, { chat, senderKey: sender.key, text }, sent.reading);
  // A message that quotes counts whether or not it fires anyone (DISPATCH-16).
  const answer = sender.kind === 'human' ? undefined : await answerOf(call, sent);
  const selfRooted: Origin = { humanKey: sender.key, rootMessageKey: 0, hop: 0, isUnprompted: false };
  if (chat.agent_count === 0 || sent.isService || sender.isWebhook)
    return { mentioned, ...none, sender, origin: selfRooted };
  // An agent's message fires only agents that it mentions: without a mention there is nothing to look up.
  if (sender.kind === 'agent' && mentioned.mentions.length === 0)
    return { mentioned, ...none, sender, origin: selfRooted };
  const participants = await call.tx.all(agentParticipants, chat.key);
  const agents =
    sent.fires === undefined ? participants : participants.filter(({ username }) => username === sent.fires);
  const origin = sender.kind === 'human' ? selfRooted : await originOf(call, sent, answer);
  const followers = sender.kind === 'human' ? await followersIn(call, sent, agents) : new Set<number>();
  const names = agentsDue({
    sender,
    isService: false,
    mentioned: sent.fires === undefined ? mentioned.mentions : [sent.fires],
    repliesTo: agents.find(({ account_key }) => account_key === sent.quoted?.sender_key)?.username ?? null,
    agents: agents.map((row) => ({
      username: row.username,
      alwaysOn: row.always_on === null ? null : row.always_on === 1,
      isFollowing: followers.has(row.account_key),
    })),
  });
  const byName = new Map(agents.map((row) => [row.username, row]));
  const named = names.flatMap(({ username, reason }): Fired[] => {
    const row = sent.fired?.includes(username) ? undefined : byName.get(username);
    return row ? [{ ...row, reason, isAsked: isAskedBy(reason, chat.kind) }] : [];
  });
  const willing = await withoutBlocked(call.tx, named, origin.humanKey);
  const due =
    sender.kind === 'human' ? willing : await withoutBarred(call, sent, { willing, origin, turn: answer?.turn });
  const { maxHops, firingsPerMessage } = call.settings;
  const timesOn = sender.kind === 'agent' && due.length > 0 ? await timesGoneOn(call.tx, origin.rootMessageKey) : 0;
  const hop = firingHop({ sender, hop: origin.hop });
  if (isLastHop({ sender, hop: origin.hop, maxHops: maxHops * (1 + timesOn) })) {
    const stopped = due.slice(0, firingsPerMessage);
    const shownLeftOut = leftOutBy('hops', due);
    return { mentioned, ...none, stopped, shownLeftOut, sender, origin: { ...origin, hop } };
  }
  // The sender's messages before this one may have filled the queues.
  if (due.length > 0) await call.inTurn();
  const left = due.length === 0 ? 0 : await firingsLeft(call, origin, timesOn);
  const { fire, leftOut } = withinWidth(due, { perMessage: firingsPerMessage, left });
  const refused = await withFullQueue(call, fire, origin.humanKey);
  const fired = fire.filter((agent) => !refused.includes(agent));
  const width = leftOutBy(origin.isUnprompted ? 'unprompted' : 'message', leftOut);
  return {
    mentioned,
    dispatch: fired.map(({ username }) => username),
    agents: fired,
    refused,
    leftOut,
    stopped: sender.kind === 'agent' ? leftOut.slice(0, Math.max(0, firingsPerMessage - fire.length)) : [],
    shownLeftOut: sender.kind === 'agent' ? (width ?? leftOutBy('waiting', refused)) : undefined,
    sender,
    origin: { ...origin, hop },
  };
}

const leftOutBy = (limit: LeftOut['limit'], agents: readonly ParticipantRow[]): LeftOut | undefined =>
  agents.length === 0
    ? undefined
    : { limit, agents: agents.slice(0, NAMES_LEFT_OUT).map(({ username }) => username), count: agents.length };

/** The agents that follow the message's thread (DISPATCH-18). */
async function followersIn(
  call: Pick<UnitCall, 'tx' | 'now' | 'inTurn'>,
  { chat, timeline }: Sent,
  agents: readonly ParticipantRow[],
): Promise<ReadonlySet<number>> {
  if (timeline.threadKey === 0 || agents.every(({ follows_from }) => follows_from === null)) return new Set();
  // The messages before this one may have asked an agent.
  await call.inTurn();
  const rows = await call.tx.all(followersOf, chat.key, timeline.threadKey, call.now - FOLLOWS_FOR_MS);
  return new Set(rows.map(({ account_key }) => account_key));
}

/**
 * Leaves out bots whose owner has blocked the human (BLOCK-10): their daemons would work at the owner's cost. Provider
 * agents are fired, because the human may have a key of its own (KEY-13).
 */
async function withoutBlocked(tx: Sql, agents: readonly Fired[], humanKey: number): Promise<Fired[]> {
  const bots = agents.filter(({ agent_provider }) => agent_provider === null);
  const blockers = new Set<number>();
  for (const owner of new Set(bots.map(({ account_key, parent_key }) => parent_key ?? account_key)))
    if (owner !== humanKey && (await hasBlocked(tx, owner, humanKey))) blockers.add(owner);
  if (blockers.size === 0) return [...agents];
  return agents.filter(
    (agent) => agent.agent_provider !== null || !blockers.has(agent.parent_key ?? agent.account_key),
  );
}

/** Leaves out the agents that a block along the chain of an agent's message keeps from answering it (DISPATCH-20). */
async function withoutBarred(
  call: Pick<UnitCall, 'tx' | 'settings'>,
  { chat, sender }: Sent,
  { willing, origin, turn }: { willing: Fired[]; origin: Origin; turn: TurnRow | undefined },
): Promise<Fired[]> {
  if (willing.length === 0) return willing;
  const senders = await sendersInChain(call, sender.key, turn);
  const barred = await barredByChain(call, chat.key, senders, origin.humanKey);
  return barred === 'all' ? [] : willing.filter(({ account_key }) => !barred.has(account_key));
}

/** The agents whose turn queue for this human is full. Bots never are: their firings wait in their daemons. */
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
 * Stores the firings of a stored message; those of provider agents and the guide run after the commit. Sends an alert
 * about agents that were not fired to the human on whose behalf they would have run. Resolves with the first turn that
 * is held and about which that human is to be asked (DISPATCH-22).
 */
export async function storeFirings(
  call: Pick<UnitCall, 'tx' | 'now' | 'settings' | 'emit' | 'intend'>,
  firings: Firings,
  chatKey: number,
  timeline: Timeline,
  messageKey: number,
): Promise<number | undefined> {
  const { origin } = firings;
  await insertTurns(call, firings, firings.agents, { chatKey, timeline, messageKey });
  const queues = firings.agents
    .filter(({ agent_provider }) => agent_provider !== null)
    .map((agent) => ({ agent_key: agent.account_key, human_key: origin.humanKey, owner_key: turnOwner(agent) }));
  if (queues.length > 0) call.intend({ type: 'runTurns', queues });
  await alertOfLeftOut(call, firings);
  return holdStopped(call, firings, { chatKey, timeline, messageKey });
}

interface Place {
  chatKey: number;
  timeline: Timeline;
  messageKey: number;
}

/** Holds the firings that a limit of the chain leaves out, as far as a person may let them go on. */
async function holdStopped(
  call: Pick<UnitCall, 'tx' | 'now' | 'settings'>,
  firings: Firings,
  place: Place,
): Promise<number | undefined> {
  const { tx, settings } = call;
  const { origin, stopped } = firings;
  const holding = stopped.length === 0 ? undefined : await holdingOf(tx, place.chatKey, origin);
  if (!holding) return undefined;
  const room = settings.firingsPerHumanMessage - (await tx.all(heldTurns, origin.rootMessageKey)).length;
  const agents: Fired[] = [];
  for (const agent of stopped.slice(0, Math.max(0, room)))
    // A reply that was continued may have stopped here before.
    if (!(await tx.get(openTurnOf, place.messageKey, agent.account_key))) agents.push(agent);
  const keys = await insertTurns(call, firings, agents, place);
  for (const key of keys) await tx.run(setTurnState, key, 'waiting');
  return holding === 'ask' ? keys[0] : undefined;
}

async function insertTurns(
  call: Pick<UnitCall, 'tx' | 'now'>,
  { origin, sender }: Firings,
  agents: readonly Fired[],
  { chatKey, timeline, messageKey }: Place,
): Promise<number[]> {
  const keys: number[] = [];
  for (const agent of agents) {
    const runner = agent.agent_provider === null ? 'daemon' : 'server';
    const made = await call.tx.get(
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
      Number(timeline.threadKey !== 0 && agent.follows_from !== null && keepsFollowing(sender, agent.reason)),
      Number(agent.isAsked),
      turnOwner(agent),
    );
    if (made) keys.push(made.key);
  }
  return keys;
}
