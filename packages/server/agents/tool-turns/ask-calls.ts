// In units: which calls of a turn may be sent, and what people are asked about the others.
import type { FieldSpec } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { idText } from '../../core/ids.ts';
import { createDecision } from '../../messages/decisions/create-decision.ts';
import { type Approval, asksFirst, callOptions, grantedBy } from '../../rules/asking-calls.ts';
import { DECISION_MS } from '../../rules/decisions.ts';
import { nextCallState, type CallEvent, type CallState } from '../../rules/call-states.ts';
import { inQuotes } from '../../rules/words-of-servers.ts';
import { accountByKey, type AccountRow } from '../../store/accounts.ts';
import { chatByKey, type ChatRow, isParticipant } from '../../store/chats.ts';
import { openDecisionsOfTurn } from '../../store/decisions.ts';
import { messageByKey, type MessageRow } from '../../store/messages.ts';
import {
  type CallRow,
  callByKey,
  callsOfTurn,
  countReaders,
  grantsFor,
  readersOf,
  setCallGrant,
  setCallState,
  toolTurn,
  type ToolTurnRow,
  useGrant,
} from '../../store/tool-calls.ts';
import type { TurnRow } from '../../store/turns.ts';
import { callerOf } from '../caller-of.ts';
import { mayNotWait } from '../waiting-turns.ts';

/** Maximum length of what a tool says with its questions, in UTF-16 units. */
const MAX_QUESTION_UNITS = 4_096;
/** Maximum usernames in `reads_to`. */
const MAX_READERS = 50;

/** What only the process that runs the turn knows of a call: how its server is set, and what it lacks. */
export interface CallFacts {
  key: number;
  approval: Approval;
  needsLogin: boolean;
}

export interface Asking {
  turn: TurnRow;
  agent: AccountRow;
  asker: AccountRow;
  chat: ChatRow;
  trigger: MessageRow;
}

/** The rows that a decision of a turn needs; undefined if one is gone. */
export async function askingOf({ tx }: Pick<UnitCall, 'tx'>, turn: TurnRow): Promise<Asking | undefined> {
  const agent = await tx.get(accountByKey, turn.agent_key);
  const asker = await tx.get(accountByKey, turn.human_key);
  const chat = await tx.get(chatByKey, turn.chat_key);
  const trigger = await tx.get(messageByKey, turn.message_key);
  return agent && asker && chat && trigger ? { turn, agent, asker, chat, trigger } : undefined;
}

/** Applies an event to a call; false if the call's state does not accept it. */
export async function moveCall(
  { tx }: Pick<UnitCall, 'tx'>,
  row: Pick<CallRow, 'key' | 'state'>,
  event: CallEvent,
): Promise<CallState | null> {
  const next = nextCallState(row.state, event);
  if (next !== null) await tx.run(setCallState, row.key, next);
  return next;
}

interface Answered {
  answer: 'approve' | 'withdraw' | 'decline' | 'ask' | 'login' | 'budget';
  /** The earlier answer without which a person would be asked now. */
  grant?: Uint8Array;
}

/**
 * Decides what becomes of the calls that are `asked` and about which no decision is open: they are approved, or a person
 * is asked (CALL-7, CALL-10, CALL-11). 'too_many': the asker has too many waiting replies for one more; nothing is asked.
 */
export async function askAboutCalls(
  call: UnitCall,
  asking: Asking,
  facts: readonly CallFacts[],
): Promise<'settled' | 'too_many'> {
  const { tx } = call;
  const { turn } = asking;
  const row = await tx.get(toolTurn, turn.key);
  if (!row) return 'settled';
  const rows = await tx.all(callsOfTurn, turn.key);
  const open = await tx.all(openDecisionsOfTurn, turn.key);
  const answers: ({ row: CallRow } & Answered)[] = [];
  for (const [at, one] of rows.entries()) {
    const known = facts.find(({ key }) => key === one.key);
    if (one.state !== 'asked' || !known || open.some(({ call_key }) => call_key === one.key)) continue;
    answers.push({ row: one, ...(await answerFor(call, asking, { row: one, at, known, turn: row })) });
  }
  const asked = answers.filter(({ answer }) => answer === 'ask' || answer === 'login' || answer === 'budget');
  if (asked.length > 0 && (await mayNotWait(call, turn))) return 'too_many';
  for (const { row: one, answer, grant } of answers) {
    if (answer === 'approve' || answer === 'decline' || answer === 'withdraw') await moveCall(call, one, answer);
    if (!grant) continue;
    await tx.run(setCallGrant, one.key, grant);
    await tx.run(useGrant, grant, call.now);
  }
  for (const { row: one, answer } of asked) if (answer === 'ask') await askForCall(call, asking, one);
  for (const { row: one, answer } of asked) if (answer === 'login') await askForLogin(call, asking, one);
  if (asked.some(({ answer }) => answer === 'budget') && !open.some(({ kind }) => kind === 'budget'))
    await askForBudget(call, asking);
  return 'settled';
}

async function answerFor(
  { tx }: UnitCall,
  { turn, chat }: Asking,
  {
    row,
    at,
    known,
    turn: { calls_allowed: allowed, tainted },
  }: { row: CallRow; at: number; known: CallFacts; turn: ToolTurnRow },
): Promise<Answered> {
  const takesPart = await tx.get(isParticipant, turn.chat_key, turn.human_key);
  // The asker left while the model wrote. An owner's bot may have fired the agent where its owner does not take part.
  if (!takesPart && turn.unprompted === 0) return { answer: 'withdraw' };
  if (at >= allowed) return { answer: allowed === 0 ? 'decline' : 'budget' };
  const isGroup = chat.kind === 'group';
  const grants = await tx.all(grantsFor, turn.human_key, turn.agent_key, row.server, row.tool);
  const given = grantedBy(
    grants.map(({ id, chat_key: chatKey, terms }) => ({ id, chatKey, terms })),
    row.terms,
    turn.chat_key,
  );
  const asked = {
    approval: known.approval,
    identity: row.identity,
    writes: row.writes === 1,
    isGroup,
    isTainted: tainted === 1,
  };
  if (!asksFirst({ ...asked, granted: given?.granted ?? null }) && !known.needsLogin)
    return { answer: 'approve', ...(given && asksFirst({ ...asked, granted: null }) && { grant: given.id }) };
  if (!takesPart) return { answer: 'withdraw' };
  return { answer: known.needsLogin ? 'login' : 'ask' };
}

/** What all decisions of the service have in common. */
export const common = ({ now }: UnitCall, { turn, agent, asker, chat, trigger }: Asking) => ({
  chat,
  timeline: { channelKey: turn.channel_key, threadKey: turn.thread_key },
  sender: callerOf(agent),
  deciders: [asker],
  expiresAt: now + DECISION_MS,
  quoted: trigger,
  turnKey: turn.key,
});

/** The tool, as the service's sentences name it. */
const nameOf = ({ title, tool }: CallRow): string => inQuotes(title ?? tool);

async function askForCall(call: UnitCall, asking: Asking, row: CallRow): Promise<void> {
  const { agent, chat } = asking;
  const readers = await call.tx.all(readersOf, chat.key, agent.key, MAX_READERS);
  const count = (await call.tx.get(countReaders, chat.key, agent.key))?.count ?? readers.length;
  await createDecision(call, {
    ...common(call, asking),
    kind: 'call',
    text: `May ${agent.display_name} run “${nameOf(row)}”${row.host === '' ? '' : ` on ${row.host}`}?`,
    options: [...callOptions],
    callKey: row.key,
    shown: {
      call: {
        call_id: idText(row.id),
        server: row.server,
        // The service's own tools are on no other host.
        host: row.host === '' ? row.server : row.host,
        tool: row.tool,
        ...(row.title !== null && { title: row.title }),
        as: row.identity,
        writes: row.writes === 1,
        reads_to: readers.map(({ username }) => username),
        readers: count,
      },
    },
  });
}

/** Asks for the credential of a call's server, once for all calls of the turn that need it (CALL-11). */
export async function askForLogin(call: UnitCall, asking: Asking, row: CallRow): Promise<void> {
  for (const { kind, call_key } of await call.tx.all(openDecisionsOfTurn, asking.turn.key)) {
    const other = kind === 'login' && call_key !== null ? await call.tx.get(callByKey, call_key) : undefined;
    if (other?.server === row.server) return;
  }
  await createDecision(call, {
    ...common(call, asking),
    kind: 'login',
    text: `${asking.agent.display_name} needs your sign-in for ${row.server} (${row.host}) to run “${nameOf(row)}”.`,
    options: [{ id: 'decline', label: 'Decline', style: 'danger' }],
    isPrivate: true,
    callKey: row.key,
    shown: { login: { server: row.server, host: row.host } },
  });
}

/** Asks the asker alone what the tool wants to know (CALL-12). */
export async function askForInput(
  call: UnitCall,
  asking: Asking,
  row: CallRow,
  { form, text }: { form: FieldSpec[]; text: string },
): Promise<void> {
  const words = inQuotes(text, MAX_QUESTION_UNITS);
  await createDecision(call, {
    ...common(call, asking),
    kind: 'input',
    text: `“${nameOf(row)}” on ${row.host} asks ${words === '' ? 'for more.' : `you: “${words}”`}`,
    options: [
      { id: 'decline', label: 'Decline', style: 'danger' },
      { id: 'submit', label: 'Submit', style: 'primary' },
    ],
    isPrivate: true,
    form,
    callKey: row.key,
    shown: { input: { server: row.server, host: row.host, tool: row.tool } },
  });
}

async function askForBudget(call: UnitCall, asking: Asking): Promise<void> {
  const calls = (await call.tx.get(toolTurn, asking.turn.key))?.calls_allowed ?? 0;
  await createDecision(call, {
    ...common(call, asking),
    kind: 'budget',
    text: `${asking.agent.display_name} has made ${calls} calls of tools for this reply. May it go on?`,
    options: [
      { id: 'stop', label: 'Stop', style: 'danger' },
      { id: 'go_on', label: 'Go on', style: 'primary' },
    ],
    shown: { budget: { calls } },
  });
}
