import { dateAfter } from '@parley/protocol/dates';
import { ServiceError } from '../core/errors.ts';
import type { Run } from './own-tools.ts';
import { argumentsOf, Misuse } from './tool-arguments.ts';

const MINUTE_MS = 60_000;

/** Sets a reminder for the asker, once, whatever crashes (OWN-5, OWN-6). */
export const remind: Run = async ({ clock, units }, { call, place, stored, seal }) => {
  const { at, in_minutes: minutes, message_id: messageId } = argumentsOf('remind', { call });
  if ((at === undefined) === (minutes === undefined)) throw new Misuse('Give at or in_minutes.');
  const dueAt = at === undefined ? dateAfter(clock.now(), (minutes ?? 0) * MINUTE_MS) : Date.parse(at);
  const remindAt = new Date(dueAt).toISOString();
  const result = `The reminder is set for ${remindAt}.`;
  const input = { ...place, callKey: call.key, messageId: messageId ?? null, remindAt, result: seal(result) };
  try {
    const state = await stored(() => units.remindForCall(input));
    return state === null ? null : { stored: state, result };
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'unavailable')
      throw new Misuse(messageOf(error), { cause: error });
    throw error;
  }
};

const messageOf = ({ message }: ServiceError): string => `The reminder was not set: ${message}.`;
