import type { FieldSpec } from '@parley/protocol';
import { t } from '../words/t.ts';

/** Values of an agent's settings by field key; a missing value is inherited. */
export type Values = Readonly<Record<string, string>>;

export const isBlank = (value: string | undefined): boolean => value === undefined || value.trim() === '';

/** Validates values before they are sent; returns a text per invalid field. `inherited` values replace blank ones. */
export function problemsOf(
  fields: readonly FieldSpec[],
  values: Values,
  inherited: Values = {},
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { key, type, required, default: preset, options } of fields) {
    const value = values[key] ?? '';
    if (isBlank(value)) {
      if (required && isBlank(inherited[key]) && isBlank(preset)) problems[key] = t('Fill this in.');
    } else if (type === 'number' && !Number.isFinite(Number(value))) problems[key] = t('Enter a number.');
    else if (type === 'select' && !options?.includes(value)) problems[key] = t('Choose an option from the list.');
  }
  return problems;
}

/** Drops blank values: to the service a blank value is a missing one. */
export const given = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlank(value)));

/** A field as the app shows it. */
export interface ShownField extends FieldSpec {
  /** Words for options that are not their own. */
  readonly words?: Readonly<Record<string, string>>;
}

/** A value in words, for options, and for defaults shown outside their field. */
export function wordFor({ type, words = {} }: ShownField, value: string): string {
  const word = Object.hasOwn(words, value) ? words[value] : undefined;
  if (word !== undefined) return word;
  if (type === 'boolean') return value === 'true' ? t('On') : t('Off');
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

/** Unsaved changes to secrets: '' removes one, a missing key keeps it. */
export type SecretChanges = Readonly<Record<string, string>>;
