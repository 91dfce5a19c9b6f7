import type { Caller } from '../access/call.ts';
import type { UnitCall } from './unit-call.ts';

/** Functions that run units of work by name and resolve with the unit's result once the unit is committed. */
export type UnitCallers<Units> = {
  readonly [Name in keyof Units]: Units[Name] extends (call: UnitCall, ...rest: infer Rest) => infer Returned
    ? (...args: Rest extends [infer Input] ? [input: Input, caller?: Caller] : []) => Promise<Awaited<Returned>>
    : never;
};

/** Runs one unit; resolves with its result as JSON text, or with undefined if the unit returns nothing. */
type RunByName = (name: string, input: unknown, caller: Caller | undefined) => Promise<string | undefined>;

export const unitCallers = <Units extends object>(units: Units, run: RunByName): UnitCallers<Units> =>
  Object.fromEntries(
    Object.keys(units).map((name) => [
      name,
      async (input?: unknown, caller?: Caller): Promise<unknown> => {
        const text = await run(name, input, caller);
        return text === undefined ? undefined : JSON.parse(text);
      },
    ]),
    // One function per unit, with the unit's input and result.
  ) as UnitCallers<Units>;
