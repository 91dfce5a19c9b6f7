import type { z } from 'zod';

/**
 * What a rule says about a field. Null counts as absent, but not as `missing`. `empty` is absent, an empty text or an
 * empty list; `filled` is neither of these.
 */
export type FieldState = 'given' | 'absent' | 'missing' | 'empty' | 'filled' | { is: boolean | string };

/** A combination of fields that an operation does not take, and what the error says about the field `at`. */
export interface Combination<Field extends string> {
  when: Readonly<Partial<Record<Field, FieldState>>>;
  at: Field;
  message: string;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function isIn(state: FieldState, value: unknown): boolean {
  if (typeof state === 'object') return value === state.is;
  if (state === 'missing') return value === undefined;
  if (state === 'given' || state === 'absent') return (value === undefined || value === null) === (state === 'absent');
  return isEmpty(value) === (state === 'empty');
}

/** The same in JSON Schema, of a field that is there. */
function schemaOf(state: FieldState): object {
  if (typeof state === 'object') return { const: state.is };
  const empty = { enum: [null, '', []] };
  return {
    given: { not: { type: 'null' } },
    absent: { type: 'null' },
    missing: { not: {} },
    empty,
    filled: { not: empty },
  }[state];
}

const mayBeMissing = (state: FieldState): boolean => state === 'absent' || state === 'missing' || state === 'empty';

/**
 * Refuses these combinations: as a check, and in the published schema as an `if` without which nothing fits: generators
 * of clients pass over it, where they would make types of a `not` or a `oneOf` (API-12).
 */
export function withoutCombinations<Schema extends z.ZodObject>(
  schema: Schema,
  ...refused: readonly Combination<keyof z.input<Schema> & string>[]
): Schema {
  const states = refused.map(({ when }) => Object.entries<FieldState | undefined>(when).flatMap(known));
  return schema
    .superRefine((value: Readonly<Record<string, unknown>>, context) => {
      const found = refused.find((_one, at) => states[at]?.every(([field, state]) => isIn(state, value[field])));
      if (found) context.addIssue({ code: 'custom', path: [found.at], message: found.message });
    })
    .meta({ if: { not: only(states.map(combined)) }, else: { not: {} } });
}

const combined = (fields: readonly [string, FieldState][]): object => ({
  required: fields.flatMap(([field, state]) => (mayBeMissing(state) ? [] : [field])),
  properties: Object.fromEntries(fields.map(([field, state]) => [field, schemaOf(state)])),
});

const only = (schemas: readonly object[]): object => (schemas.length === 1 ? { ...schemas[0] } : { anyOf: schemas });

const known = ([field, state]: [string, FieldState | undefined]): [string, FieldState][] =>
  state === undefined ? [] : [[field, state]];

/** Refuses more than one of these fields. */
export const onlyOneOf = <Field extends string>(...fields: readonly Field[]): Combination<Field>[] =>
  fields.flatMap((first, at) =>
    fields.slice(at + 1).map((second) => ({
      // A key of the type that the two names have.
      when: { [first]: 'given', [second]: 'given' } as Partial<Record<Field, FieldState>>,
      at: second,
      message: `cannot be combined with ${first}`,
    })),
  );
