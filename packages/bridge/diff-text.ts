import type { Diff } from '@agentclientprotocol/sdk';
import { isGiven } from './is-given.ts';

const MAX_LINES = 200;
const MAX_UNITS = 8_000;

/** What a file becomes, as lines with `-` and `+` between those that both have; bounded. */
export function diffText({ path, oldText, newText }: Diff): string {
  const before = isGiven(oldText) && oldText !== '' ? oldText.split('\n') : [];
  const after = newText === '' ? [] : newText.split('\n');
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const isSameAt = (fromEnd: number): boolean =>
    before[before.length - 1 - fromEnd] === after[after.length - 1 - fromEnd];
  while (end < before.length - start && end < after.length - start && isSameAt(end)) end += 1;
  const lines = [
    ...before.slice(start, before.length - end).map((line) => `-${line}`),
    ...after.slice(start, after.length - end).map((line) => `+${line}`),
  ];
  const shown = lines.slice(0, MAX_LINES);
  if (shown.length < lines.length) shown.push(`… ${lines.length - shown.length} more lines`);
  const text = [path, ...shown].join('\n');
  return text.length > MAX_UNITS ? `${text.slice(0, MAX_UNITS).toWellFormed()}…` : text;
}
