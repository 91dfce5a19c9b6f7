import { forbidden } from '../core/errors.ts';
import type { Caller } from './call.ts';

/** The caller, if it is a person; 403 for agents. */
export function requirePerson(caller: Caller | null): Caller {
  if (caller?.kind !== 'human') throw forbidden('only people may do this');
  return caller;
}
