import { createHash } from 'node:crypto';
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { QuestionOption } from '@parley/client/bot';
import { diffText } from './diff-text.ts';

const MAX_OPTIONS = 8;
const MAX_LABEL = 80;
const MAX_TITLE = 300;
const MAX_DETAIL = 3_000;

/** A permission prompt of the agent as a question, and what its options mean to the agent. */
export interface AskedPermission {
  /** The name of the question among those of its handler. */
  key: string;
  text: string;
  options: QuestionOption[];
  /** By the id of an option: the agent's own. */
  optionIds: Record<string, string>;
  title: string;
  /** The same for the same call, also in another run of the agent. */
  fingerprint: string;
  canLoad: boolean;
}

const isAlways = (kind: string): boolean => kind === 'allow_always';

/** Null if the agent offers nothing to choose. Its own order is kept, but `allow_always` comes last (BRIDGE-4). */
export function questionOf(
  { options, toolCall }: RequestPermissionRequest,
  key: string,
  canLoad: boolean,
): AskedPermission | null {
  const ordered = [
    ...options.filter(({ kind }) => !isAlways(kind)).slice(0, MAX_OPTIONS),
    ...options.filter(({ kind }) => isAlways(kind)),
  ].slice(0, MAX_OPTIONS);
  if (ordered.length === 0) return null;
  const optionIds: Record<string, string> = {};
  const shown = ordered.map(({ name, kind, optionId }, at): QuestionOption => {
    const id = `option-${at + 1}`;
    optionIds[id] = optionId;
    const style = kind === 'allow_once' ? 'primary' : kind.startsWith('reject') ? 'danger' : undefined;
    return { id, label: oneLine(name, MAX_LABEL) || kind, ...(style && { style }) };
  });
  const title = oneLine(toolCall.title ?? toolCall.kind ?? 'a tool', MAX_TITLE) || 'a tool';
  const detail = detailOf(toolCall);
  const text = `The agent asks for permission: ${code(title)}${detail === '' ? '' : `\n\n${fenced(detail)}`}`;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([toolCall.kind, title, detail, toolCall.rawInput, ordered.map(({ optionId }) => optionId)]))
    .digest('hex');
  return { key, text, options: shown, optionIds, title, fingerprint, canLoad };
}

export const cancelled = (): RequestPermissionResponse => ({ outcome: { outcome: 'cancelled' } });

/** What the agent is told. Nothing is ever chosen for people: without a choice of theirs it is `cancelled`. */
export function answerOf({ optionIds }: Pick<AskedPermission, 'optionIds'>, option: string | null) {
  const optionId = option === null ? undefined : optionIds[option];
  return optionId === undefined ? cancelled() : { outcome: { outcome: 'selected' as const, optionId } };
}

/** What the call would do: its diffs, otherwise its input. */
function detailOf({ content, rawInput }: RequestPermissionRequest['toolCall']): string {
  const diffs = (content ?? []).flatMap((item) => (item.type === 'diff' ? [diffText(item)] : []));
  if (diffs.length > 0) return cut(diffs.join('\n'), MAX_DETAIL);
  if (rawInput === undefined || rawInput === null) return '';
  return cut(typeof rawInput === 'string' ? rawInput : JSON.stringify(rawInput, null, 2), MAX_DETAIL);
}

export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

export const oneLine = (text: string, length: number): string => cut(text.replaceAll(/\s+/g, ' ').trim(), length);

/** The longest run of backticks of a text, so that a longer one encloses it whatever stands in it. */
const ticks = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));

function code(text: string): string {
  const mark = '`'.repeat(ticks(text) + 1);
  return mark.length === 1 ? `\`${text}\`` : `${mark} ${text} ${mark}`;
}

function fenced(text: string): string {
  const mark = '`'.repeat(Math.max(3, ticks(text) + 1));
  return `${mark}\n${text}\n${mark}`;
}
