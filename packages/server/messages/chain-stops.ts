// What follows when a limit stops a chain of agents that a person has begun: the firings that are left out are held, and
// the person is asked once whether the chain may go on (DISPATCH-22).
import type { Decision } from '@parley/protocol';
import type { Caller } from '../access/call.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { chatScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { messageJson } from '../rendering/messages.ts';
import { DECISION_MS } from '../rules/decisions.ts';
import { nextState } from '../rules/turn-states.ts';
import { inQuotes } from '../rules/words-of-servers.ts';
import { accountByKey } from '../store/accounts.ts';
import { hasBlocked } from '../store/blocks.ts';
import { type ChatRow, isParticipant } from '../store/chats.ts';
import { budgetsOfChain, type DecisionRow } from '../store/decisions.ts';
import { messageByKey, recordOf, repliesOfChain } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';
import { heldTurns, releaseTurn, setTurnState, turnByKey, type TurnRow } from '../store/turns.ts';
import { isBarredByChain } from './chain-blocks.ts';
import { changeRecord } from './change-record.ts';
import { createDecision } from './decisions/create-decision.ts';
import { decisionIn, type Outcome, settleDecision } from './decisions/settle-decision.ts';
import type { Origin } from './firing-origin.ts';
import type { Timeline } from './timeline.ts';

/** Maximum agents and replies that the decision names; the others are counted. */
const MAX_NAMED = 32;

const GO_ON = 'go_on';

const isAboutChain = (row: DecisionRow): boolean => (decisionIn(row) as Partial<Decision>).budget?.chain !== undefined;

/** The decisions about whether a chain may go on, oldest first. A turn of the chain may have asked about its calls too. */
const stopsOf = async (tx: Sql, rootMessageKey: number): Promise<DecisionRow[]> =>
  (await tx.all(budgetsOfChain, rootMessageKey)).filter(isAboutChain);

/** How often a person has let a chain go on: each time it may do as much again. */
export const timesGoneOn = async (tx: Sql, rootMessageKey: number): Promise<number> =>
  rootMessageKey === 0
    ? 0
    : (await stopsOf(tx, rootMessageKey)).filter((row) => decisionIn(row).option === GO_ON).length;

/**
 * Whether the firings that a limit leaves out are held, and who is asked: `join` while a decision about the chain is open.
 * Undefined for chains that no person has asked for, and after somebody has stopped the chain.
 */
export async function holdingOf(
  tx: Sql,
  chatKey: number,
  { humanKey, rootMessageKey, isUnprompted }: Origin,
): Promise<'ask' | 'join' | undefined> {
  if (isUnprompted || rootMessageKey === 0 || !(await tx.get(isParticipant, chatKey, humanKey))) return undefined;
  const stops = await stopsOf(tx, rootMessageKey);
  if (stops.some(({ state }) => state === 'open')) return 'join';
  return stops.every((row) => decisionIn(row).option === GO_ON) ? 'ask' : undefined;
}

interface Stopped {
  chat: Pick<ChatRow, 'key' | 'id' | 'kind' | 'may_push'>;
  timeline: Timeline;
  /** The agent whose message the limit has stopped. */
  sender: Caller;
  /** The first of the turns that are held. */
  turnKey: number;
}

/** Asks the person for whom a chain runs whether it may go on. */
export async function askToGoOn(call: UnitCall, { chat, timeline, sender, turnKey }: Stopped): Promise<void> {
  const { tx, now } = call;
  const turn = await tx.get(turnByKey, turnKey);
  const person = turn && (await tx.get(accountByKey, turn.human_key));
  if (!person) return;
  const next = new Map<string, string>();
  for (const { agent_key } of await tx.all(heldTurns, turn.root_message_key)) {
    const agent = await tx.get(accountByKey, agent_key);
    if (agent) next.set(agent.username, inQuotes(agent.display_name));
  }
  const replies = await tx.all(repliesOfChain, turn.root_message_key);
  const used = { input_tokens: 0, output_tokens: 0 };
  for (const row of replies) {
    const { usage } = recordOf(row);
    used.input_tokens += usage?.input_tokens ?? 0;
    used.output_tokens += usage?.output_tokens ?? 0;
  }
  const tokens = used.input_tokens + used.output_tokens;
  const cost = tokens === 0 ? '' : ` (${new Intl.NumberFormat('en-US').format(tokens)} tokens)`;
  const names = [...next.values()].slice(0, 5).join(', ') + (next.size > 5 ? ` and ${next.size - 5} more` : '');
  const root = await tx.get(messageByKey, turn.root_message_key);
  await createDecision(call, {
    chat,
    timeline,
    sender,
    kind: 'budget',
    text: `${replies.length} replies of agents have followed from one message${cost}. The next would be from ${names}. May they go on?`,
    options: [
      { id: 'stop', label: 'Stop', style: 'danger' },
      { id: GO_ON, label: 'Go on', style: 'primary' },
    ],
    deciders: [person],
    expiresAt: now + DECISION_MS,
    quoted: root?.deleted_at === null ? root : undefined,
    turnKey,
    shown: {
      budget: {
        chain: {
          replies: replies.length,
          message_ids: replies.slice(-MAX_NAMED).map(({ id }) => idText(id)),
          ...(tokens > 0 && { usage: used }),
          agents: [...next.keys()].slice(0, MAX_NAMED),
        },
      },
    },
  });
}

/** Lets what a decision holds go on, or ends it; false if the decision is not about a chain. */
export async function afterChainStop(call: UnitCall, row: DecisionRow, outcome: Outcome): Promise<boolean> {
  const { tx } = call;
  const turn = row.turn_key === null ? undefined : await tx.get(turnByKey, row.turn_key);
  if (!turn || !isAboutChain(row)) return false;
  const held = await tx.all(heldTurns, turn.root_message_key);
  const goesOn = outcome.state === 'decided' && outcome.option === GO_ON;
  const released: TurnRow[] = [];
  for (const one of held) {
    if (goesOn && (await mayBegin(call, one))) released.push(one);
    else await end(call, one);
  }
  for (const one of released) await tx.run(releaseTurn, one.key, call.now);
  for (const [messageKey, fired] of Map.groupBy(released, ({ message_key: key }) => key))
    await noteFired(call, messageKey, fired);
  const queues = released
    .filter(({ runner }) => runner === 'server')
    .map(({ agent_key, human_key, owner_key }) => ({ agent_key, human_key, owner_key }));
  if (queues.length > 0) call.intend({ type: 'runTurns', queues });
  return true;
}

/** What held turns of a chain have asked is withdrawn once none of them is left: they were stopped, or removed. */
export async function withdrawStop(
  call: Pick<UnitCall, 'tx' | 'now' | 'accounts' | 'emit' | 'intend' | 'settings'>,
  rootMessageKey: number,
): Promise<void> {
  if ((await call.tx.all(heldTurns, rootMessageKey)).length > 0) return;
  for (const row of await stopsOf(call.tx, rootMessageKey))
    if (row.state === 'open') await settleDecision(call, row, { state: 'withdrawn' });
}

/** What the rules of this moment say: membership, and blocks along the chain (DISPATCH-20). */
async function mayBegin(call: UnitCall, turn: TurnRow): Promise<boolean> {
  const { tx } = call;
  const { agent_key: agentKey, human_key: humanKey, chat_key: chatKey } = turn;
  const message = await tx.get(messageByKey, turn.message_key);
  if (!message || message.deleted_at !== null) return false;
  if (!(await tx.get(isParticipant, chatKey, agentKey)) || !(await tx.get(isParticipant, chatKey, humanKey)))
    return false;
  const owner = (await tx.get(accountByKey, agentKey))?.parent_key ?? null;
  if (turn.runner === 'daemon' && owner !== null && (await hasBlocked(tx, owner, humanKey))) return false;
  return !(await isBarredByChain(call, turn));
}

async function end({ tx }: UnitCall, turn: TurnRow): Promise<void> {
  const next = nextState(turn.state, 'remove');
  if (next !== null) await tx.run(setTurnState, turn.key, next);
}

/** The message fires the agents after all: it says so, also to the daemons of bots. */
async function noteFired(call: UnitCall, messageKey: number, fired: readonly TurnRow[]): Promise<void> {
  const { tx } = call;
  const row = await tx.get(messageByKey, messageKey);
  if (!row) return;
  const names: string[] = [];
  for (const { agent_key } of fired) {
    const agent = await tx.get(accountByKey, agent_key);
    if (agent) names.push(agent.username);
  }
  const { left_out: leftOut, ...record } = recordOf(row);
  const agents = leftOut?.agents.filter((name) => !names.includes(name)) ?? [];
  const count = (leftOut?.count ?? 0) - names.length;
  const changed = {
    ...record,
    dispatch: [...record.dispatch, ...names],
    ...(leftOut && count > 0 && { left_out: { ...leftOut, agents, count } }),
  };
  await changeRecord(call, row, changed);
  if (fired.every(({ runner }) => runner === 'server')) return;
  // Daemons without `ext` learn of a message when it is new, or complete.
  const params = await messageJson(call, { ...row, record: JSON.stringify(changed) });
  const kind = record.finalized_at === undefined ? 'messageNew' : 'messageComplete';
  call.emit({ scope: chatScope(row.chat_key), kind, params, ref: row.key });
}
