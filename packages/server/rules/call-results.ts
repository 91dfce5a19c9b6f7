// What people and models are told of a call: the status of its part in the reply, and the result for the model.
import type { ToolStatus } from '@parley/protocol';
import { type CallState, callStates } from './call-states.ts';

const statuses: Readonly<Record<CallState, ToolStatus>> = {
  asked: 'needs_approval',
  approved: 'pending',
  sending: 'running',
  done: 'done',
  failed: 'failed',
  unknown: 'unknown',
  declined: 'denied',
  expired: 'expired',
  withdrawn: 'denied',
};

/** The status of the part that shows a call (CALL-6). */
export const statusOfCall = (state: CallState): ToolStatus => statuses[state];

/** The states of calls that are shown with this status. */
export const statesOf = (status: ToolStatus): readonly CallState[] =>
  callStates.filter((state) => statuses[state] === status);

const notDone: Readonly<Partial<Record<CallState, string>>> = {
  unknown:
    'unknown: The call was sent, but no answer came. It may or may not have been carried out. Say so, and do not call it again unless you are asked to.',
  declined: 'denied: The person who was asked did not allow this call. It was not carried out.',
  expired: 'expired: Nobody decided in time. The call was not carried out.',
  withdrawn:
    'denied: The question whether to allow this call, or the answer that allowed it, was taken back. It was not carried out.',
};

/** What the model gets of a call that is over; of one that was not done it begins with its status (CALL-6). */
export function resultOfCall(state: CallState, stored: string | null): { text: string; isError: boolean } {
  if (state === 'done') return { text: stored ?? '', isError: false };
  if (state === 'failed') return { text: `failed: ${stored ?? 'The call failed.'}`, isError: true };
  if (state === 'withdrawn' && stored !== null)
    return { text: `denied: ${stored} It was not carried out.`, isError: true };
  return { text: notDone[state] ?? `${statuses[state]}: The call is not over.`, isError: true };
}

/** Results of calls that are never sent (CALL-5). */
export const refusedCalls = {
  unknownTool: (name: string) => `There is no tool of the name ${name}.`,
  noObject: 'The arguments are no JSON object.',
  numbers: 'The arguments have a number that is too long to be kept exactly. Give it as a string.',
  changed: 'The tool, its server or the credential for it has changed since the call was made. It was not carried out.',
  gone: 'This tool is not available any more.',
  unreachable: 'The server of this tool could not be reached; it may work later.',
  noDecider: 'Nobody who could allow this call takes part in the conversation. It was not carried out.',
  deleted: 'The question was deleted.',
  limit: 'The limit of calls for this reply is reached, and nobody has allowed more. It was not carried out.',
} as const;

/** What a reply says if it may not go on after people have allowed calls (CALL-17). */
export const NOT_CARRIED_OUT = 'The calls that were allowed have not been carried out.';

/** What a reply says if its asker has too many that wait (WAIT-8). */
export const TOO_MANY_WAITING =
  'This needs your decision, but too many of your replies are waiting for one already. Decide some of them, then ask again.';
