import type { TokenUsage } from '@parley/protocol';
import type { ReplyPart } from '../part-queue.ts';

/** What an event of a model's stream means for a reply. */
export type ModelEvent =
  | { text: string }
  | { think: string }
  | { thought: 'over' }
  | { part: ReplyPart; tool?: { isOver: boolean } }
  /** Of the whole stream so far; `adds` if of one call of several. */
  | { usage: TokenUsage; adds?: true }
  | { failure: unknown };

/** The events that one piece of a stream stands for; undefined for a piece of another kind of stream. */
export type Reading = readonly ModelEvent[] | undefined;
export type Fields = Readonly<Record<string, unknown>>;

/** Maximum JSON of a tool's input or output; of more only the beginning is sent. */
const MAX_JSON = 32 * 1024;
const MAX_LINE = 1_000;

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
export const fieldsOf = (value: unknown): Fields =>
  // Any object can be read as fields of unknown types.
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text.toWellFormed();

/** A value as JSON has it; a long one as its beginning. */
function jsonOf(value: unknown): unknown {
  try {
    const json = JSON.stringify(value);
    if (json === undefined) return undefined;
    return json.length > MAX_JSON ? cut(json, MAX_JSON / 2) : (JSON.parse(json) as unknown);
  } catch {
    return cut(String(value), MAX_LINE);
  }
}

const messageOf = (error: unknown): string => cut(error instanceof Error ? error.message : String(error), MAX_LINE);

/** Parses what should be JSON from a model; returns the text itself if it is not. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Ids of models' tools may be longer than those of parts. */
const shortId = (kind: string, id: string): string => `${kind} ${/^[!-~]{1,50}$/.test(id) ? id : hashOf(id)}`;

/** A tool's part in one of its states. */
export function toolEvent(tool: {
  id: string;
  name: string;
  input?: unknown;
  output?: unknown;
  error?: unknown;
  status: 'running' | 'done' | 'failed' | 'denied';
}): ModelEvent {
  const [input, output] = [jsonOf(tool.input), jsonOf(tool.output)];
  const { status } = tool;
  return {
    part: {
      id: shortId('tool', tool.id),
      type: 'tool',
      name: cut(tool.name || 'tool', 200),
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      ...(tool.error !== undefined && { error: messageOf(tool.error) }),
      status,
    },
    tool: { isOver: status !== 'running' },
  };
}

/** A source with an address that people can open; otherwise nothing. */
export function sourceEvent(url: string, title: string): ModelEvent[] {
  if (!/^https?:\/\//i.test(url)) return [];
  const name = title === '' ? {} : { title: cut(title, MAX_LINE) };
  return [{ part: { id: shortId('source', hashOf(url)), type: 'source', url, ...name } }];
}

/** A notice that the answer may not be whole, if its model ended it for such a reason, in any vendor's spelling. */
export const endEvent = (reason: unknown): ModelEvent[] =>
  /^(?:length|max_tokens|max_output_tokens|content[_-]filter|incomplete)$/i.test(textIn(reason))
    ? [{ part: { id: 'end', type: 'notice', text: 'The model stopped early: this answer may not be whole.' } }]
    : [];

/** Nothing if the counts are not known. */
export const usageEvent = (input_tokens: unknown, output_tokens: unknown, adds?: true): ModelEvent[] =>
  isCount(input_tokens) && isCount(output_tokens)
    ? [{ usage: { input_tokens, output_tokens }, ...(adds && { adds }) }]
    : [];

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** A short name of a text, the same each time (FNV-1a). */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
