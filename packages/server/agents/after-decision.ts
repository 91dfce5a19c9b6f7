import type { DecisionKind, Message } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import type { RawJson } from '../core/json.ts';
import { afterChainStop } from '../messages/chain-stops.ts';
import { type Outcome, settleDecision } from '../messages/decisions/settle-decision.ts';
import { grantsOf } from '../rules/asking-calls.ts';
import { type CallEvent, isCallOver, nextCallState, unsentCallState } from '../rules/call-states.ts';
import { DECLINE } from '../rules/decisions.ts';
import { type DecisionRow, openDecisionsOfTurn, openLoginsOf } from '../store/decisions.ts';
import type { AccountRow } from '../store/accounts.ts';
import type { Awaitable } from '../store/sql.ts';
import {
  allowCalls,
  callByKey,
  type CallRow,
  callsOfTurn,
  endCallRow,
  setCallState,
  setCallTerms,
  storeGrant,
  toolTurn,
} from '../store/tool-calls.ts';
import { toolCredentialOf, toolServerNamed, type ToolServerRow } from '../store/tool-servers.ts';
import { CALLS_ALLOWED } from './tool-turns/call-bounds.ts';
import { SIGN_IN } from '../tools/tool-servers.ts';
import { shownIn, withCredential } from './tool-turns/tool-port.ts';
import { resumeIfDecided } from './waiting-turns.ts';

type Follow = (call: UnitCall, row: DecisionRow, outcome: Outcome) => Awaitable<void>;

const nothing: Follow = () => undefined;

/** What the end of a decision means for a call that waits for it, if it does not allow the call. */
function refusal(outcome: Outcome): Extract<CallEvent, 'decline' | 'expire'> | null {
  if (outcome.state === 'decided') return outcome.option === DECLINE || outcome.option === 'stop' ? 'decline' : null;
  return outcome.state === 'expired' ? 'expire' : 'decline';
}

/** Ends a call that was not carried out, or approves it. */
async function move({ tx, now }: UnitCall, row: CallRow, event: 'approve' | 'decline' | 'expire'): Promise<boolean> {
  const next = event === 'approve' ? nextCallState(row.state, event) : unsentCallState(row, event);
  if (next === null) return false;
  if (next === 'approved') await tx.run(setCallState, row.key, next);
  else await tx.run(endCallRow, row.key, next, null, now);
  return true;
}

const callOf = async ({ tx }: UnitCall, { call_key: key }: DecisionRow): Promise<CallRow | undefined> =>
  key === null ? undefined : tx.get(callByKey, key);

/** The answer about a call, and what it allows beyond it (CALL-7, CALL-9). */
async function afterCall(call: UnitCall, row: DecisionRow, outcome: Outcome): Promise<void> {
  const about = await callOf(call, row);
  if (!about) return;
  const isApproved = (await move(call, about, refusal(outcome) ?? 'approve')) && refusal(outcome) === null;
  if (!isApproved || outcome.state !== 'decided') return;
  const { human_key, agent_key, server, tool, terms } = about;
  // Of such a server, as of the service's own tools, only calls ask that no earlier answer allows (CALL-8).
  const { approval } = (await call.tx.get(toolServerNamed, agent_key, server)) ?? { approval: 'never' };
  if (approval === 'never') return;
  for (const chatKey of grantsOf(outcome.option, about.chat_key))
    await call.tx.run(storeGrant, human_key, agent_key, server, tool, chatKey, terms, call.now, call.newId());
}

/** The asker has signed in for the open calls of a server: from now on these are bound to that credential. */
async function renewCredential(
  call: UnitCall,
  { agent_key, human_key, server: name, turn_key }: CallRow,
): Promise<void> {
  const { tx } = call;
  const server = await tx.get(toolServerNamed, agent_key, name);
  const credential = server && (await tx.get(toolCredentialOf, server.key, human_key));
  if (!credential) return;
  for (const one of await tx.all(callsOfTurn, turn_key))
    if (one.server === name && !isCallOver(one.state)) {
      await tx.run(setCallTerms, one.key, withCredential(one.terms, credential.generation));
      // It only asks to sign in (TOOL-14).
      if (isSignIn(one)) await move(call, one, 'approve');
    }
}

const isSignIn = ({ tool, terms }: CallRow): boolean => tool === SIGN_IN && shownIn(terms).definitionHash === '';

/** Nobody signs in to the server: no call of it is carried out, and nothing is asked about one (CALL-11). */
async function afterLogin(call: UnitCall, row: DecisionRow, outcome: Outcome): Promise<void> {
  const about = await callOf(call, row);
  const event = refusal(outcome);
  if (!about) return;
  if (event === null) return renewCredential(call, about);
  const open = await call.tx.all(openDecisionsOfTurn, about.turn_key);
  for (const one of await call.tx.all(callsOfTurn, about.turn_key)) {
    if (one.server !== about.server || !(await move(call, one, event))) continue;
    for (const other of open)
      if (other.call_key === one.key && other.message_key !== row.message_key)
        await settleDecision(call, other, { state: 'withdrawn' });
  }
}

/** What a tool asked for is read when its call is sent again; a declined form too is an answer to the tool (CALL-12). */
async function afterInput(call: UnitCall, row: DecisionRow, outcome: Outcome): Promise<void> {
  const about = await callOf(call, row);
  if (about && outcome.state !== 'decided') await move(call, about, refusal(outcome) ?? 'decline');
}

/** What was answered is read when the call goes on; without an answer the call is over (OWN-8). */
async function afterQuestion(call: UnitCall, row: DecisionRow, outcome: Outcome): Promise<void> {
  const about = await callOf(call, row);
  if (about && outcome.state !== 'decided') await move(call, about, refusal(outcome) ?? 'decline');
}

/** A chain of agents goes on or ends (DISPATCH-22), or the turn may make more calls, or none any more (CALL-10). */
async function afterBudget(call: UnitCall, row: DecisionRow, outcome: Outcome): Promise<void> {
  const { tx } = call;
  const { turn_key: turnKey } = row;
  if (await afterChainStop(call, row, outcome)) return;
  const turn = turnKey === null ? undefined : await tx.get(toolTurn, turnKey);
  if (!turn) return;
  const event = refusal(outcome);
  if (event === null) return void (await tx.run(allowCalls, turn.turn_key, turn.calls_allowed + CALLS_ALLOWED));
  await tx.run(allowCalls, turn.turn_key, 0);
  // Those about which people are asked were within the budget.
  const open = await tx.all(openDecisionsOfTurn, turn.turn_key);
  const isAskedAbout = ({ key }: CallRow): boolean => open.some(({ call_key }) => call_key === key);
  for (const one of await tx.all(callsOfTurn, turn.turn_key))
    if (one.state === 'asked' && !isAskedAbout(one)) await move(call, one, event);
}

/** What follows the end of a decision, by its kind, in the unit that ends it. */
const follow: Record<DecisionKind, Follow> = {
  question: afterQuestion,
  call: afterCall,
  input: afterInput,
  login: afterLogin,
  budget: afterBudget,
  permission: nothing,
};

/** Goes on with what has waited for a decision: called after `settleDecision`, and when its message was deleted. */
export const afterDecision: Follow = async (call, row, outcome) => {
  await follow[row.kind](call, row, outcome);
  if (row.turn_key !== null) await resumeIfDecided(call, row.turn_key);
};

/** Takes back an open decision, which nobody can decide any more. Undefined if its message is deleted. */
export async function withdraw(call: UnitCall, row: DecisionRow): Promise<RawJson<Message> | undefined> {
  const outcome = { state: 'withdrawn' as const };
  const message = await settleDecision(call, row, outcome);
  await afterDecision(call, row, outcome);
  return message;
}

/** An account has given the credential that calls of a server have waited for (CALL-11). */
export async function signedIn(
  call: UnitCall,
  { agent_key: agentKey, name }: Pick<ToolServerRow, 'agent_key' | 'name'>,
  account: Pick<AccountRow, 'key' | 'username'>,
): Promise<void> {
  for (const row of await call.tx.all(openLoginsOf, agentKey, name, account.key)) {
    const outcome = { state: 'decided' as const, by: account.username, option: 'done' };
    await settleDecision(call, row, outcome);
    await afterDecision(call, row, outcome);
  }
}
