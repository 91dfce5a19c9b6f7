import type { Decision, DecisionOption, DecisionState, FieldSpec, FormValues } from '@parley/protocol';
import { choicesText } from '@parley/protocol/decision-text';
import { problemOf } from './field-values.ts';
import { spokenName } from './component-actions.ts';

/** The option that is chosen where none is named. */
const SUBMIT = 'submit';
/** The option that takes no values. */
export const DECLINE = 'decline';
/** The options of a form for which none were given. */
const submit: readonly DecisionOption[] = [
  { id: SUBMIT, label: 'Submit', style: 'primary' },
  { id: DECLINE, label: 'Decline' },
];

export const optionsOf = (given: readonly DecisionOption[] | undefined): DecisionOption[] => [...(given ?? submit)];

/** A decision as it is stored; undefined if it was emptied, because its message is deleted. */
export function keptIn(value: string): Decision | undefined {
  const stored = JSON.parse(value) as Partial<Decision>; // as createDecision stored it, or emptied
  return stored.options === undefined ? undefined : (stored as Decision);
}

/** How long the service's own decisions stay open (WAIT-7). */
export const DECISION_MS = 7 * 86_400_000;

/** The text of a decision's message, for clients that do not show decisions, and for models (DECIDE-3). */
export const decisionText = (text: string, decision: Pick<Decision, 'options' | 'form'>): string =>
  `${text}${choicesText(decision)}`;

const endings: Record<Exclude<DecisionState, 'open' | 'decided'>, string> = {
  expired: 'Expired: nobody has decided.',
  withdrawn: 'Withdrawn: there is nothing to decide any more.',
};

/** What the message's text says last once the decision has ended: its username stays when an account is deleted (PEOPLE-9). */
type Ended = Pick<Decision, 'state' | 'option' | 'options' | 'decided_by'>;
export function outcomeText({ state, option, options, decided_by = '' }: Ended): string {
  if (state === 'open') return '';
  if (state !== 'decided') return endings[state];
  const label = options.find(({ id }) => id === option)?.label ?? option ?? '';
  return `Decided: ${label} (${spokenName(decided_by)})`;
}

/** The option that an answer chooses; undefined if it is not offered (DECIDE-5). */
export function chosenOption({ options }: Pick<Decision, 'options'>, given: string | undefined): string | undefined {
  const id = given ?? SUBMIT;
  return options.some((option) => option.id === id) ? id : undefined;
}

/** A field of the answer that does not fit the form, and why (DECIDE-6). */
export interface Misfit {
  field: string;
  problem: string;
}

/** The values of an answer as they are stored: those of the form's fields, of their types (DECIDE-6). */
export function checkedFields(
  form: readonly FieldSpec[] | undefined,
  option: string,
  given: Readonly<Record<string, unknown>> = {},
): { fields: FormValues | undefined } | { misfit: Misfit } {
  const expected = option === DECLINE ? [] : (form ?? []);
  const unknown = Object.keys(given).find((key) => !expected.some((field) => field.key === key));
  if (unknown !== undefined) return { misfit: { field: unknown, problem: 'is no field of this form' } };
  const fields: FormValues = {};
  for (const field of expected) {
    // Not what every object has, as `constructor`.
    const value = Object.hasOwn(given, field.key) ? given[field.key] : undefined;
    if (value === undefined) {
      if (field.required === true) return { misfit: { field: field.key, problem: 'is required' } };
      continue;
    }
    const problem = misfitOf(field, value);
    if (problem !== undefined) return { misfit: { field: field.key, problem } };
    fields[field.key] = value as FormValues[string]; // of the type of its field, as checked
  }
  return { fields: option === DECLINE || !form ? undefined : fields };
}

function misfitOf(field: FieldSpec, value: unknown): string | undefined {
  const type = field.type === 'number' || field.type === 'boolean' ? field.type : 'string';
  if (typeof value !== type || (typeof value === 'number' && !Number.isFinite(value))) return `must be a ${type}`;
  if (typeof value !== 'string') return undefined;
  if (!value.isWellFormed()) return 'contains an unpaired surrogate';
  return field.required === true && value.trim() === '' ? 'is required' : problemOf(field, value);
}

/** Whether a decision ended with this answer of this person, as it was given: then a repeat gets the same Message (DECIDE-5). */
export const isSameAnswer = (
  { state, decided_by, option, fields }: Decision,
  answer: { by: string; option?: string | undefined; fields?: Readonly<Record<string, unknown>> | undefined },
): boolean =>
  state === 'decided' &&
  decided_by === answer.by &&
  option === (answer.option ?? SUBMIT) &&
  canonical(fields) === canonical(answer.fields);

const canonical = (fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify(Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)));
