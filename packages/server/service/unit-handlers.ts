import type { UnitHandler } from '../commits/unit-context.ts';
import { internalUnits } from '../units/index.ts';
import { handlers } from '../operations/index.ts';

// A unit of the service checks no caller: under an operation's name it would answer that operation's calls.
const isTaken = (name: string): boolean => Object.hasOwn(handlers, name);
const taken = Object.keys(internalUnits).filter(isTaken);
if (taken.length > 0) throw new Error(`units of the service have names of operations: ${taken.join(', ')}`);

/** All units of work by name: the writing operations and the service's own units. */
export const unitHandlers: ReadonlyMap<string, UnitHandler> = new Map<string, UnitHandler>([
  // A unit's input was parsed by the declaration of the same name before it was posted.
  ...Object.entries(handlers).flatMap(([name, handler]): [string, UnitHandler][] =>
    handler.kind === 'unit' ? [[name, handler.handle as UnitHandler]] : [],
  ),
  ...Object.entries(internalUnits).map(([name, handle]): [string, UnitHandler] => [name, handle as UnitHandler]),
]);
