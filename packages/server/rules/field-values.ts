import { type FieldSpec, fits, limits } from '@parley/protocol';

/** A field of an agent's settings: its declaration on the wire, and the bounds of a number, which are not sent. */
export type Field = FieldSpec & { bounds?: NumberBounds };
/** A field that holds a secret. It has no default, which would be a secret in plain text (BOTCONF-19). */
export type SecretField = Field & { default: undefined };
interface NumberBounds {
  min: number;
  max: number;
  isInteger?: boolean;
}

const anyNumber: NumberBounds = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
/** Each digit can match in only one way, so the time is linear in the text. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const MAX_NUMBER_LENGTH = 64;

/** Creates a field; properties that are not given are undefined. */
export const field = (key: string, label: string, type: Field['type'], more: Partial<Field> = {}): Field => ({
  key,
  label,
  type,
  description: undefined,
  required: undefined,
  default: undefined,
  options: undefined,
  placeholder: undefined,
  ...more,
});

export const secretField = (spec: Field): SecretField => ({ ...spec, default: undefined });

/** A blank value counts as none: the value of the next layer is inherited. */
export const isBlank = (value: string): boolean => value.trim() === '';

/** The problem with a value, undefined if it fits (BOTCONF-3). It never quotes the value, which may be a secret. */
export function problemOf(field: Field, value: string): string | undefined {
  const most = field.type === 'text' ? limits.settingTextBytes : limits.settingBytes;
  if (!fits(value, most)) return `is longer than ${most} bytes`;
  if (value.includes('\0')) return 'has a NUL character';
  switch (field.type) {
    case 'string':
    case 'text':
      return undefined;
    case 'boolean':
      return value === 'true' || value === 'false' ? undefined : 'must be true or false';
    case 'select':
      return field.options?.includes(value) ? undefined : 'must be one of its options';
    case 'number':
      return problemOfNumber(value, field.bounds ?? anyNumber);
    default:
      return field.type satisfies never;
  }
}

function problemOfNumber(value: string, { min, max, isInteger = false }: NumberBounds): string | undefined {
  if (value.length > MAX_NUMBER_LENGTH) return `must be a number of at most ${MAX_NUMBER_LENGTH} characters`;
  const number = decimal.test(value) ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) return 'must be a number';
  if (isInteger && !Number.isInteger(number)) return 'must be an integer';
  return number < min || number > max ? `must be from ${min} to ${max}` : undefined;
}
