import type { Decision } from '@parley/protocol';
import { refusedCalls } from '../rules/call-results.ts';
import { DECLINE, keptIn } from '../rules/decisions.ts';
import { questionOfCall } from '../store/decisions.ts';
import type { Run } from './own-tools.ts';
import { argumentsOf, Misuse } from './tool-arguments.ts';

/** The field of an answer that a person writes. */
export const ANSWER = 'answer';

const refusals = {
  too_many: 'You have asked enough questions for this reply.',
  too_many_waiting: 'Too many replies wait for this person already.',
  absent: 'Nobody who could answer takes part in this conversation.',
} as const;

/** Asks people, and after they have decided returns what they said (OWN-7, OWN-8). */
export const ask: Run = async ({ read, units }, { call, turn, place, stored }) => {
  const given = argumentsOf('ask', { call });
  const known = await read.get(questionOfCall, turn.key, call.key);
  if (known) {
    if (known.state === 'open') return { needs: 'answer' };
    const decision = keptIn(known.value);
    return decision
      ? { event: 'finish', result: answerIn(decision) }
      : { event: 'withdraw', result: refusedCalls.deleted };
  }
  const { question, options, who = 'asker' } = given;
  const input = { ...place, callKey: call.key, question, options: options ?? null, isForAnyone: who === 'anyone' };
  const asked = await stored(() => units.askForCall(input));
  if (asked === null) return null;
  if (asked !== 'asked') throw new Misuse(refusals[asked]);
  return { needs: 'answer' };
};

function answerIn({ option, options, fields, decided_by: by }: Decision): string {
  const label = options.find(({ id }) => id === option)?.label;
  const written = fields?.[ANSWER];
  const answer = typeof written === 'string' ? written : label;
  if (option === DECLINE) return JSON.stringify({ by, declined: true });
  return JSON.stringify({ by, answer });
}
