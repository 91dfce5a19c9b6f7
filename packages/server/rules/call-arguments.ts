import { canonicalJson } from './canonical-json.ts';
import { isObject } from './json-values.ts';

/** Maximum depth of arguments: more is nobody's request, and would exhaust the stack of what reads it. */
const MAX_DEPTH = 200;

/** The arguments of a call as canonical JSON; undefined if they are no JSON object (CALL-5). */
export function canonicalArguments(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && isShallow(value, MAX_DEPTH) ? canonicalJson(value) : undefined;
  } catch {
    return undefined;
  }
}

const isShallow = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((item) => isShallow(item, depth - 1)));

/** Whether JSON has a number that would be another one when it is read: the model has to write it as text (CALL-5). */
export function losesNumbers(text: string): boolean {
  let isLost = false;
  JSON.parse(text, (_key, value: unknown, { source }: { source?: string } = {}) => {
    if (typeof value !== 'number' || Math.abs(value) < Number.MAX_SAFE_INTEGER) return value;
    isLost ||= source === undefined || decimal(source) !== decimal(String(value));
    return value;
  });
  return isLost;
}

/** A number as its digits without zeros at the ends, and their power of ten. */
function decimal(number: string): string | undefined {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return end === 0 ? undefined : `${digits.slice(0, end)} ${Number(power) - fraction.length + digits.length - end}`;
}
