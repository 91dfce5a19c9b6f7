import {
  endEvent,
  type Fields,
  fieldsOf,
  type ModelEvent,
  parsed,
  type Reading,
  textIn,
  toolEvent,
  usageEvent,
} from './model-event.ts';

/** A tool that a model calls, while its arguments arrive in pieces. */
interface Call {
  id: string;
  name: string;
  args: string;
}

/** Modes of a graph's stream that repeat what its mode `messages` has. */
const REPEATED = new Set(['updates', 'values', 'debug', 'checkpoints', 'tasks', 'custom']);

/**
 * Reads the pieces of LangChain's streams: the chunks of `model.stream()`, the pairs of a graph's mode `messages`, and
 * the events of `streamEvents()`.
 */
export class LangChainEvents {
  /** By their index in the message that arrives. */
  readonly #arriving = new Map<unknown, Call>();
  readonly #calls = new Map<string, Call>();

  read(value: Fields): Reading {
    if (Array.isArray(value)) return this.#readPair(value);
    if (typeof value['event'] === 'string') return this.#readEvent(value['event'], value);
    return this.#readMessage(value, true);
  }

  /** `[message, metadata]`, or, of a graph with several modes, `[mode, value]`. */
  #readPair(pair: readonly unknown[]): Reading {
    const [first, second] = pair;
    if (pair.length !== 2) return undefined;
    if (first === 'messages') return Array.isArray(second) ? this.#readPair(second) : undefined;
    if (typeof first === 'string') return REPEATED.has(first) ? [] : undefined;
    return this.#readMessage(fieldsOf(first), true);
  }

  #readEvent(name: string, { data, run_id, name: what }: Fields): Reading {
    const { chunk, input, output, error } = fieldsOf(data);
    const tool = { id: textIn(run_id), name: textIn(what), input };
    switch (name) {
      case 'on_chat_model_stream':
        return this.#readMessage(fieldsOf(chunk), false);
      case 'on_llm_stream':
        return [{ text: typeof chunk === 'string' ? chunk : textIn(fieldsOf(chunk)['text']) }];
      case 'on_tool_start':
        return [toolEvent({ ...tool, status: 'running' })];
      case 'on_tool_end':
        return [toolEvent({ ...tool, output: fieldsOf(output)['content'] ?? output, status: 'done' })];
      case 'on_tool_error':
        return [toolEvent({ ...tool, error: error ?? 'failed', status: 'failed' })];
      default:
        return /^on_[a-z_]+$/.test(name) ? [] : undefined;
    }
  }

  /** `withTools`: no other events report the tools. */
  #readMessage(value: Fields, withTools: boolean): Reading {
    if (!('content' in value) || !('response_metadata' in value || 'additional_kwargs' in value)) return undefined;
    const type = messageType(value);
    if (type === 'tool' || type === 'ToolMessageChunk') return withTools ? [this.#endTool(value)] : [];
    // Those of people and of the program are no answer.
    if (NO_ANSWERS.has(type)) return [];
    if (type !== 'ai' && type !== 'AIMessageChunk') return undefined;
    const usage = fieldsOf(value['usage_metadata']);
    const reasoning = textIn(fieldsOf(value['additional_kwargs'])['reasoning_content']);
    return [
      ...(reasoning === '' ? [] : [{ think: reasoning }]),
      ...contentEvents(value['content']),
      ...(withTools ? this.#toolCalls(value) : []),
      ...usageEvent(usage['input_tokens'], usage['output_tokens'], true),
      ...endEvent(fieldsOf(value['response_metadata'])['finish_reason']),
    ];
  }

  #toolCalls(value: Fields): ModelEvent[] {
    const pieces = value['tool_call_chunks'];
    const isPiecewise = Array.isArray(pieces) && pieces.length > 0;
    const whole = value['tool_calls'];
    const events: ModelEvent[] = [];
    for (const piece of isPiecewise ? pieces : []) {
      const { index, id, name, args } = fieldsOf(piece);
      if (typeof id === 'string' && id !== '') this.#arriving.set(index, { id, name: textIn(name), args: '' });
      const call = this.#arriving.get(index);
      if (!call) continue;
      call.name ||= textIn(name);
      call.args += textIn(args);
      events.push(...this.#begin(call));
    }
    for (const one of !isPiecewise && Array.isArray(whole) ? whole : []) {
      const { id, name, args } = fieldsOf(one);
      const call = { id: textIn(id), name: textIn(name), args: JSON.stringify(args) ?? '' };
      if (call.id !== '') events.push(...this.#begin(call));
    }
    return events;
  }

  #begin(call: Call): ModelEvent[] {
    if (this.#calls.has(call.id)) return [];
    this.#calls.set(call.id, call);
    return [toolEvent({ id: call.id, name: call.name, status: 'running' })];
  }

  #endTool(value: Fields): ModelEvent {
    const id = textIn(value['tool_call_id']);
    const call = this.#calls.get(id);
    const name = textIn(value['name']) || (call?.name ?? '');
    const input = call && call.args !== '' ? parsed(call.args) : undefined;
    const output = value['content'];
    return value['status'] === 'error'
      ? toolEvent({ id, name, input, error: output, status: 'failed' })
      : toolEvent({ id, name, input, output, status: 'done' });
  }
}

/** Types of messages of people and of the program, whole or in chunks. */
const NO_ANSWERS = new Set(
  ['human', 'system', 'developer', 'function', 'remove', 'generic', 'chat'].flatMap((type) => [
    type,
    `${type.charAt(0).toUpperCase()}${type.slice(1)}MessageChunk`,
  ]),
);

/** `@langchain/core` 0.3 says the type in a method. */
function messageType(message: Fields): string {
  const { type, _getType: getType } = message;
  return textIn(type ?? (typeof getType === 'function' ? (getType.call(message) as unknown) : ''));
}

/** A text, or a list of texts and blocks. */
function contentEvents(content: unknown): ModelEvent[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block): ModelEvent[] => {
    if (typeof block === 'string') return [{ text: block }];
    const { type, text, thinking, reasoning } = fieldsOf(block);
    if (typeof thinking === 'string') return [{ think: thinking }];
    if (typeof reasoning === 'string') return [{ think: reasoning }];
    return typeof text === 'string' && TEXTS.has(textIn(type)) ? [{ text }] : [];
  });
}

const TEXTS = new Set(['text', 'text_delta', 'text-delta', 'text-plain', 'output_text', '']);
