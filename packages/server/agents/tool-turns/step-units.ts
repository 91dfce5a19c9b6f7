// The units of a turn that calls tools. Each is one commit: a crash between two of them forgets and repeats nothing.
import type { FieldSpec } from '@parley/protocol';
import { OWN_TOOLS } from '@parley/protocol/built-in-tools';
import type { Refused } from '../../commits/effects.ts';
import { account, chat, household } from '../../commits/lock-names.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { internalUnit } from '../../commits/unit-locks.ts';
import { idBytes } from '../../core/ids.ts';
import type { Approval, Identity } from '../../rules/asking-calls.ts';
import { type CallEvent, type CallState, nextCallState, unsentCallState } from '../../rules/call-states.ts';
import {
  beginToolTurn,
  callByKey,
  type CallRow,
  callsOfTurn,
  emptySteps,
  endCallRow,
  grantById,
  insertCall,
  insertStep,
  markOpenWorld,
  repeatCall,
  sendCall,
  setCallTerms,
  setSteps,
  taintTurn,
  toolTurn,
} from '../../store/tool-calls.ts';
import { reserveTokens, streamOf, turnByKey, type TurnRow } from '../../store/turns.ts';
import { accountByKey } from '../../store/accounts.ts';
import { chatByKey } from '../../store/chats.ts';
import { usedUpBy } from '../budgets.ts';
import { CALLS_ALLOWED, CALLS_AT_ONCE } from './call-bounds.ts';
import { askAboutCalls, askForInput, askForLogin, askingOf, type CallFacts } from './ask-calls.ts';
import { mayNotWait } from '../waiting-turns.ts';

/** The turn, and what its units lock. */
export interface TurnPlace {
  turnKey: number;
  messageKey: number;
  chatId: string;
  humanKey: number;
  agentName: string;
}

/** The conversation, the asker, whose waiting replies are counted, and the agent's household, which a message grows. */
export const locks = ({ input }: { input: TurnPlace }) => [
  chat(input.chatId),
  account(input.humanKey),
  household(input.agentName),
];

/** The turn if this node runs it: a node that was taken for dead stores and sends nothing more (CLUSTER-8). */
export async function runningTurn({ tx, node }: UnitCall, input: TurnPlace): Promise<TurnRow | undefined> {
  const turn = await tx.get(turnByKey, input.turnKey);
  const stream = await tx.get(streamOf, input.messageKey);
  const isOurs = stream?.turn_key === input.turnKey && stream.node_key === node && stream.cancel_requested === 0;
  return isOurs && turn?.state === 'streaming' ? turn : undefined;
}

export interface StepTokens {
  /** What the turn has used and is not booked yet, as its provider reports it, and as its length suggests. */
  reported: number;
  estimated: number;
  /** What its next request may use. */
  next: number;
}

/**
 * Before a further request of the turn: the budgets are checked with what it has used so far, and what it may use is
 * reserved anew (CALL-16). Null if nothing refuses it; `over` if the turn has ended, or another node runs it.
 */
export const admitStep = internalUnit(
  { locks },
  async (call: UnitCall, input: TurnPlace & StepTokens): Promise<Refused | 'over' | null> => {
    const { tx } = call;
    const turn = await runningTurn(call, input);
    const agent = turn && (await tx.get(accountByKey, turn.agent_key));
    const place = turn && (await tx.get(chatByKey, turn.chat_key));
    if (!agent || !place) return 'over';
    // The guide costs nothing.
    if (turn.payer === null) return null;
    const reply = {
      agent,
      humanKey: turn.human_key,
      chat: place,
      isOwnersKey: turn.payer === 'owner',
      isDaemons: false,
      turnKey: turn.key,
    };
    const refused = await usedUpBy(call, reply, input);
    if (!refused) await tx.run(reserveTokens, turn.key, Math.max(input.reported, input.estimated) + input.next);
    return refused;
  },
);

/** A call as the model wants it. Texts are sealed. */
export interface StoredCall {
  /** As text. */
  id: string;
  modelCall: string;
  part: string | null;
  server: string;
  host: string;
  tool: string;
  title: string | null;
  identity: Identity;
  writes: boolean;
  isOpenWorld: boolean;
  terms: string;
  arguments: string;
  argumentsHash: string;
  /** Why it cannot be sent: nobody is asked (CALL-5). */
  refused?: string;
  approval: Approval;
  needsLogin: boolean;
}

export interface StoreStep extends TurnPlace {
  step: number;
  /** Sealed. */
  blocks: string;
  /** The reply at the end of the step. */
  text: string;
  parts: string | null;
  /** Length of the text with which the turn began. */
  began: number;
  isTainted: boolean;
  calls: readonly StoredCall[];
}

/** What became of the calls of a turn, in their order. */
export interface CallsSettled {
  /** The asker has too many waiting replies. */
  isTooMany: boolean;
  calls: { key: number; state: CallState }[];
}

/** Stores a step whose model calls tools, with its calls and what people are asked about them (CALL-1). Null if the turn has ended. */
export const storeStep = internalUnit(
  { locks },
  async (call: UnitCall, input: StoreStep): Promise<CallsSettled | null> => {
    const { tx, now } = call;
    const turn = await runningTurn(call, input);
    const asking = turn && (await askingOf(call, turn));
    if (!asking) return null;
    const known = await tx.get(toolTurn, turn.key);
    if (!known) await tx.run(beginToolTurn, turn.key, input.began, CALLS_ALLOWED, Number(input.isTainted));
    else if (input.isTainted && known.tainted === 0) await tx.run(taintTurn, turn.key);
    await tx.run(insertStep, turn.key, input.step, input.blocks, input.text, input.parts);
    await tx.run(emptySteps, turn.key, input.step);
    await tx.run(setSteps, turn.key, input.step + 1);
    const facts: CallFacts[] = [];
    for (const [place, one] of input.calls.entries()) {
      const made = await tx.get(
        insertCall,
        idBytes(one.id),
        turn.key,
        input.step,
        place,
        one.modelCall,
        input.messageKey,
        turn.chat_key,
        turn.agent_key,
        turn.human_key,
        one.identity === 'owner' ? asking.agent.parent_key : null,
        one.part,
        one.server,
        one.host,
        one.tool,
        one.title,
        one.identity,
        Number(one.writes),
        Number(one.isOpenWorld),
        one.terms,
        one.refused === undefined ? 'asked' : 'failed',
        one.arguments,
        one.argumentsHash,
        one.refused ?? null,
        now,
      );
      if (!made) throw new Error('INSERT … RETURNING returned no row');
      facts.push({ key: made.key, approval: one.approval, needsLogin: one.needsLogin });
    }
    const end = await askAboutCalls(call, asking, facts);
    if (end === 'settled') await beginReads(call, turn, input);
    return settled(call, turn, end);
  },
);

/**
 * The first calls of the step that nobody is asked about and that only read are being sent with it, without a unit of
 * their own: after a crash they are sent again (CALL-4). A call that writes begins when its request is about to leave.
 */
async function beginReads({ tx, now }: UnitCall, turn: TurnRow, { step }: StoreStep): Promise<void> {
  const rows = await tx.all(callsOfTurn, turn.key);
  const reads = rows.filter((row) => row.step === step && row.state === 'approved' && isReadOfServer(row));
  for (const { key } of reads.slice(0, CALLS_AT_ONCE)) await tx.run(sendCall, key, now);
}

/** The service's own tools are never `sending` (OWN-6). */
const isReadOfServer = ({ writes, server }: CallRow): boolean => writes === 0 && server !== OWN_TOOLS;

async function settled({ tx }: UnitCall, turn: TurnRow, end: 'settled' | 'too_many'): Promise<CallsSettled> {
  const calls = (await tx.all(callsOfTurn, turn.key)).map(({ key, state }) => ({ key, state }));
  return { isTooMany: end === 'too_many', calls };
}

interface AskCalls extends TurnPlace {
  calls: readonly (CallFacts & { terms: string })[];
}

/** Decides anew about calls that waited for something else than an answer about themselves: a login, a budget. */
export const askCalls = internalUnit(
  { locks },
  async (call: UnitCall, input: AskCalls): Promise<CallsSettled | null> => {
    const turn = await runningTurn(call, input);
    const asking = turn && (await askingOf(call, turn));
    if (!asking) return null;
    for (const { key, terms } of input.calls) {
      const row = await call.tx.get(callByKey, key);
      // What was allowed stays bound to what was shown then.
      if (row?.state === 'asked' && row.terms !== terms) await call.tx.run(setCallTerms, key, terms);
    }
    return settled(call, turn, await askAboutCalls(call, asking, input.calls));
  },
);

interface OfCall extends TurnPlace {
  callKey: number;
}

/** Ends a call that is not being sent, if the answer that allowed it was taken back; null if it was not (CALL-20). */
export async function endedWithGrant({ tx, now }: UnitCall, row: CallRow): Promise<CallState | null> {
  if (row.grant_id === null || (await tx.get(grantById, row.grant_id))) return null;
  const next = unsentCallState(row, 'withdraw');
  if (next !== null) await tx.run(endCallRow, row.key, next, null, now);
  return next;
}

/**
 * Notes that a call is about to be sent, as `sending`; or that it is not, as `withdrawn`, because the answer that allowed
 * it was taken back (CALL-20): `unknown` if it had been sent before. Null if it must not be sent: it was sent already, or its turn has ended (CALL-3).
 */
export const beginCall = internalUnit({ locks }, async (call: UnitCall, input: OfCall): Promise<CallState | null> => {
  const { tx, now } = call;
  const row = await tx.get(callByKey, input.callKey);
  if (!row || nextCallState(row.state, 'send') === null || !(await runningTurn(call, input))) return null;
  const ended = await endedWithGrant(call, row);
  if (ended) return ended;
  await tx.run(sendCall, row.key, now);
  return 'sending';
});

interface EndCall extends OfCall {
  event: Extract<CallEvent, 'finish' | 'fail' | 'lose' | 'withdraw'>;
  /** Sealed. */
  result: string | null;
  /** The result has what strangers may have written, though the tool need not. */
  isOpenWorld: boolean;
}

/** Stores what became of a call; returns its state, which is another one if the turn has ended meanwhile. */
export const endCall = internalUnit(
  { locks },
  async ({ tx, now }: UnitCall, input: EndCall): Promise<CallState | null> => {
    const row = await tx.get(callByKey, input.callKey);
    if (!row) return null;
    const { event } = input;
    const next = event === 'withdraw' ? unsentCallState(row, event) : nextCallState(row.state, event);
    if (next === null) return row.state;
    await tx.run(endCallRow, row.key, next, input.result, now);
    if (input.isOpenWorld) await tx.run(markOpenWorld, row.key);
    return next;
  },
);

interface PauseCall extends OfCall {
  /** The call needs a credential, or what its tool asks for: nothing was carried out. */
  needs: 'login' | { form: FieldSpec[]; text: string; /** Sealed. */ state: string };
}

/** What became of a call that needs something of a person. */
interface Paused {
  /** Null if there is no such call. */
  state: CallState | null;
  /** The asker has too many waiting replies: nothing is asked (WAIT-8). */
  isTooMany: boolean;
}

/** A call that was sent needs something of a person before it is sent again (CALL-11, CALL-12). */
export const pauseCall = internalUnit({ locks }, async (call: UnitCall, input: PauseCall): Promise<Paused> => {
  const { tx } = call;
  const row = await tx.get(callByKey, input.callKey);
  const next = row && nextCallState(row.state, 'repeat');
  if (!row || !next) return { state: row?.state ?? null, isTooMany: false };
  const { needs } = input;
  await tx.run(repeatCall, row.key, next, needs === 'login' ? null : needs.state);
  const turn = await runningTurn(call, input);
  const asking = turn && (await askingOf(call, turn));
  if (!asking) return { state: next, isTooMany: false };
  if (await mayNotWait(call, turn)) return { state: next, isTooMany: true };
  if (needs === 'login') await askForLogin(call, asking, row);
  else await askForInput(call, asking, row, needs);
  return { state: next, isTooMany: false };
});
