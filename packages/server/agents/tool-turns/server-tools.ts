import { refusedCalls } from '../../rules/call-results.ts';
import { DECLINE, keptIn } from '../../rules/decisions.ts';
import { inputOfCall } from '../../store/decisions.ts';
import type { Sql } from '../../store/sql.ts';
import { toolServerNamed } from '../../store/tool-servers.ts';
import type { ToolAnswer } from '../../tools/outcomes.ts';
import { writesOf } from '../../tools/owner-word.ts';
import type { ToolServers } from '../../tools/tool-servers.ts';
import { type CallEnd, hashOfServer, type SentCall, shownIn, type ToolSource } from './tool-port.ts';
import type { TurnCall } from './turn-calls.ts';

interface Needs {
  read: Sql;
  servers: Pick<ToolServers, 'offered' | 'call'>;
}

/** The tools of the servers that an agent's owner has set. */
export const toolsOfServers = (needs: Needs): ToolSource => ({
  offered: (agent, askerKey, signal) => needs.servers.offered(agent, askerKey, signal),
  async send(sent, signal) {
    const answer = await answerFor(needs, sent);
    if (answer === 'deleted') return { event: 'withdraw', result: refusedCalls.deleted };
    // On the disk before it leaves (CALL-3).
    if (!(await sent.begin())) return null;
    return sendCall(needs, sent, answer, signal).catch((): CallEnd => ({ event: 'lose', result: null }));
  },
});

/** What was answered to a tool that asked for more (CALL-12); `deleted` with its question. */
async function answerFor({ read }: Needs, { call, turn }: SentCall): Promise<ToolAnswer | 'deleted' | undefined> {
  if (call.inputState === null) return undefined;
  const row = await read.get(inputOfCall, turn.key, call.key);
  const decision = row && keptIn(row.value);
  if (!decision) return 'deleted';
  const { option, fields } = decision;
  const requestState = call.inputState;
  if (option === undefined || option === DECLINE) return { requestState, action: 'decline' };
  return { requestState, action: 'accept', ...(fields && { fields }) };
}

/** Sends a call. What was shown is what is sent: the stored arguments, to that address, under that definition (CALL-2). */
async function sendCall(
  { servers, read }: Needs,
  { call, turn: { agent_key: agentKey, human_key: askerKey } }: { call: TurnCall; turn: SentCall['turn'] },
  answer: ToolAnswer | undefined,
  signal: AbortSignal,
): Promise<CallEnd> {
  const server = await read.get(toolServerNamed, agentKey, call.server);
  const { server: shown, definitionHash, generation, writes } = shownIn(call.terms);
  if (!server || hashOfServer(server) !== shown) return { event: 'fail', result: refusedCalls.changed };
  // A tool that was not known yet is not listed by its owner as it was shown.
  if (definitionHash !== '' && writesOf(server, call.tool) !== (writes === '1'))
    return { event: 'fail', result: refusedCalls.changed };
  const args = JSON.parse(call.arguments) as object; // canonical JSON of an object
  const shownThen = { definitionHash, credentialGeneration: generation === '' ? null : generation };
  const { tool, writes: isWriting, id: callId } = call;
  const given = { server, tool, arguments: args, writes: isWriting, callId, askerKey, ...shownThen };
  const outcome = await servers.call({ ...given, ...(answer && { answer }) }, signal);
  switch (outcome.status) {
    case 'done':
      return { event: 'finish', result: outcome.text };
    case 'failed':
      return { event: 'fail', result: outcome.text };
    case 'unknown':
      return { event: 'lose', result: null };
    case 'login':
      return { needs: 'login' };
    default:
      return { needs: { form: outcome.form, text: outcome.text, state: outcome.requestState } };
  }
}
