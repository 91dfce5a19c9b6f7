import type { FieldSpec } from '@parley/protocol';

/** Values of an agent's settings, by field; what is not there is inherited. */
export type Values = Readonly<Record<string, string>>;

export const isBlank = (value: string | undefined): boolean => value === undefined || value.trim() === '';

/** What is wrong with values before they are sent, by field. `inherited`: what counts where a value is blank. */
export function problemsOf(
  fields: readonly FieldSpec[],
  values: Values,
  inherited: Values = {},
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { key, type, required, default: preset, options } of fields) {
    const value = values[key] ?? '';
    if (isBlank(value)) {
      if (required && isBlank(inherited[key]) && isBlank(preset)) problems[key] = 'Fill this in.';
    } else if (type === 'number' && !Number.isFinite(Number(value))) problems[key] = 'Write a number.';
    else if (type === 'select' && !options?.includes(value)) problems[key] = 'Choose one of the list.';
  }
  return problems;
}

/** The values that are not blank: the service takes a blank one for none. */
export const given = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlank(value)));

/** How a value reads that is not shown in its field: of a default, say. */
export function wordFor({ type }: FieldSpec, value: string): string {
  if (type === 'boolean') return value === 'true' ? 'on' : 'off';
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

/** Secrets as they are about to be changed: '' clears, what is not there stays. */
export type SecretChanges = Readonly<Record<string, string>>;
