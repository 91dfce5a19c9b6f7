import type { FieldSpec } from '@parley/protocol';
import { ServiceError } from '../../core/errors.ts';
import type { CallEvent } from '../../rules/call-states.ts';
import { refusedCalls } from '../../rules/call-results.ts';
import type { Sql } from '../../store/sql.ts';
import { toolServerNamed } from '../../store/tool-servers.ts';
import type { ToolAnswer } from '../../tools/outcomes.ts';
import { writesOf } from '../../tools/owner-word.ts';
import { hashOfServer, shownIn, type Tools } from './tool-port.ts';
import type { TurnCall } from './turn-calls.ts';

/** How a call that was sent ended, or what it needs first. */
export type CallEnd =
  | { event: Extract<CallEvent, 'finish' | 'fail' | 'lose'>; result: string | null }
  | { needs: 'login' }
  | { needs: { form: FieldSpec[]; text: string; state: string } };

interface Sent {
  call: TurnCall;
  agentKey: number;
  askerKey: number;
  answer: ToolAnswer | undefined;
}

/** Sends a call. What was shown is what is sent: the stored arguments, to that address, under that definition (CALL-2). */
export async function sendCall(
  { tools, read }: { tools: Tools; read: Sql },
  { call, agentKey, askerKey, answer }: Sent,
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
  const given = { server, tool: call.tool, arguments: args, callId: call.id, askerKey, ...shownThen };
  const outcome = await tools.call({ ...given, ...(answer && { answer }) }, signal);
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

/** Whether the store refused for the moment, and changed nothing. */
export const isUnavailable = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';
