import type { TokenUsage } from '@parley/protocol';
import type { ReplyPart } from './part-queue.ts';

/** What an event of a model's stream means for a reply. */
export type ModelEvent =
  | { text: string }
  | { think: string }
  | { thought: 'over' }
  | { part: ReplyPart; tool?: { isOver: boolean } }
  | { usage: TokenUsage }
  | { failure: unknown };

/** Maximum JSON of a tool's input or output; of more only the beginning is sent. */
const MOST_JSON = 32 * 1024;
const MOST_LINE = 1_000;

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text.toWellFormed();

/** A value as JSON has it; a long one as its beginning. */
function jsonOf(value: unknown): unknown {
  try {
    const json = JSON.stringify(value);
    if (json === undefined) return undefined;
    return json.length > MOST_JSON ? cut(json, MOST_JSON / 2) : (JSON.parse(json) as unknown);
  } catch {
    return cut(String(value), MOST_LINE);
  }
}

const messageOf = (error: unknown): string => cut(error instanceof Error ? error.message : String(error), MOST_LINE);

/** Ids of models' tools may be longer than those of parts. */
const shortId = (kind: string, id: string): string => `${kind} ${/^[!-~]{1,50}$/.test(id) ? id : hashOf(id)}`;

/**
 * Reads an event of the `fullStream` of the package `ai` (versions 4 and later), which has no type here: the SDK depends
 * on no package. Undefined for events that mean nothing to a reply.
 */
export function readModelEvent(value: Readonly<Record<string, unknown>>): ModelEvent | undefined {
  const text = textIn(value['text'] ?? value['textDelta']);
  const call = textIn(value['toolCallId']);
  const tool = {
    id: shortId('tool', call),
    type: 'tool' as const,
    name: cut(textIn(value['toolName']) || 'tool', 200),
  };
  const input = jsonOf(value['input'] ?? value['args']);
  const given = input === undefined ? {} : { input };
  switch (value['type']) {
    case 'text-delta':
      return { text };
    case 'reasoning':
    case 'reasoning-delta':
      return { think: text };
    case 'reasoning-end':
      return { thought: 'over' };
    case 'tool-call':
      return { part: { ...tool, ...given, status: 'running' }, tool: { isOver: false } };
    case 'tool-result': {
      const output = jsonOf(value['output'] ?? value['result']);
      const isOver = value['preliminary'] !== true;
      const status = isOver ? 'done' : 'running';
      return { part: { ...tool, ...given, ...(output !== undefined && { output }), status }, tool: { isOver } };
    }
    case 'tool-error':
      return {
        part: { ...tool, ...given, status: 'failed', error: messageOf(value['error']) },
        tool: { isOver: true },
      };
    case 'source': {
      // Version 4 has the source in a field of its own.
      const source = (value['source'] ?? value) as { url?: unknown; title?: unknown };
      const url = textIn(source.url);
      if (!/^https?:\/\//i.test(url)) return undefined;
      const title = textIn(source.title);
      return {
        part: {
          id: shortId('source', hashOf(url)),
          type: 'source',
          url,
          ...(title !== '' && { title: cut(title, MOST_LINE) }),
        },
      };
    }
    case 'finish': {
      const usage = (value['totalUsage'] ?? value['usage'] ?? {}) as Record<string, unknown>;
      const [input_tokens, output_tokens] = [
        usage['inputTokens'] ?? usage['promptTokens'],
        usage['outputTokens'] ?? usage['completionTokens'],
      ];
      return isCount(input_tokens) && isCount(output_tokens) ? { usage: { input_tokens, output_tokens } } : undefined;
    }
    case 'error':
      return { failure: value['error'] };
    default:
      return undefined;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** A short name of a text, the same each time (FNV-1a). */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
