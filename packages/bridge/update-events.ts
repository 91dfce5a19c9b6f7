import type { SessionUpdate, ToolCall, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { ReplyPart } from '@parley/client/bot';
import { diffText } from './diff-text.ts';
import { cut, oneLine } from './permission.ts';
import type { TurnEvent } from './turn-events.ts';
import { isGiven } from './is-given.ts';

const MAX_TOOLS = 150;
const MAX_NAME = 200;
const MAX_JSON = 8_000;
const MAX_TEXT = 8_000;
const MAX_PLAN = 2_000;
const STATUS = { pending: 'pending', in_progress: 'running', completed: 'done', failed: 'failed' } as const;
const MARK = { pending: '○', in_progress: '▸', completed: '✓' } as const;

type ToolPart = Extract<ReplyPart, { type: 'tool' }>;

/** What the updates of one turn of an agent mean for its reply (BRIDGE-3). */
export class UpdateReader {
  readonly #tools = new Map<string, ToolPart>();

  read(update: SessionUpdate): TurnEvent[] {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type !== 'text') return [{ type: 'file', block: update.content }];
        return [{ type: 'text', text: update.content.text }];
      case 'agent_thought_chunk':
        return update.content.type === 'text' ? [{ type: 'thought', text: update.content.text }] : [];
      case 'tool_call':
      case 'tool_call_update':
        return this.#readTool(update);
      case 'plan':
        return [{ type: 'part', part: planPart(update.entries) }];
      default:
        return [];
    }
  }

  /** The part of a call with another status, if the call is known or new. */
  withStatus(call: ToolCallUpdate, status: ToolPart['status']): TurnEvent[] {
    this.#readTool(call);
    const part = this.#tools.get(call.toolCallId);
    if (!part) return [];
    const next = { ...part, status };
    this.#tools.set(call.toolCallId, next);
    return [{ type: 'part', part: next }];
  }

  #readTool(call: ToolCall | ToolCallUpdate): TurnEvent[] {
    const known = this.#tools.get(call.toolCallId);
    if (!known && this.#tools.size >= MAX_TOOLS) return [];
    const title = isGiven(call.title) ? oneLine(call.title, MAX_NAME) : undefined;
    const input = call.rawInput === undefined ? undefined : bounded(call.rawInput);
    const output = outputOf(call.content ?? [], call.rawOutput);
    const part: ToolPart = {
      id: known?.id ?? `tool-${this.#tools.size + 1}`,
      type: 'tool',
      name: call.name ? oneLine(call.name, MAX_NAME) : (known?.name ?? call.kind ?? 'tool'),
      status: call.status ? STATUS[call.status] : (known?.status ?? 'pending'),
      ...pick('title', title || known?.title),
      ...pick('input', input ?? known?.input),
      ...pick('output', output ?? known?.output),
    };
    this.#tools.set(call.toolCallId, part);
    // One that has not begun may be about to ask: its part is written when it runs.
    return part.status === 'pending' ? [] : [{ type: 'part', part }];
  }
}

const pick = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Value>>;

function planPart(entries: readonly { content: string; status: keyof typeof MARK }[]): ReplyPart {
  const text = entries.map(({ content, status }) => `${MARK[status]} ${oneLine(content, MAX_NAME)}`).join(' · ');
  const done = entries.filter(({ status }) => status === 'completed').length;
  return { id: 'plan', type: 'progress', text: cut(text, MAX_PLAN), done, total: entries.length };
}

/** Any JSON, or its beginning as text if it is large. */
function bounded(value: unknown): unknown {
  const json = JSON.stringify(value);
  return json === undefined || json.length <= MAX_JSON ? value : cut(json, MAX_JSON);
}

function outputOf(content: readonly ToolCallContent[], rawOutput: unknown): unknown {
  const texts = content.flatMap((item) => {
    if (item.type === 'diff') return [diffText(item)];
    return item.type === 'content' && item.content.type === 'text' ? [item.content.text] : [];
  });
  if (texts.length > 0) return cut(texts.join('\n\n'), MAX_TEXT);
  return rawOutput === undefined ? undefined : bounded(rawOutput);
}
