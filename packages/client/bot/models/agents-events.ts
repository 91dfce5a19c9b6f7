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

const THOUGHTS = new Set(['response.reasoning_summary_text.delta', 'response.reasoning_text.delta']);

/** Reads the events of a streamed run of the OpenAI Agents SDK. */
export class AgentsEvents {
  /** Whether the text of the present response has arrived in pieces. */
  #hasText = false;
  readonly #calls = new Map<string, { name: string; input?: unknown }>();

  read(value: Fields): Reading {
    switch (value['type']) {
      case 'raw_model_stream_event':
        return this.#readRaw(fieldsOf(value['data']));
      case 'run_item_stream_event':
        return this.#readItem(textIn(value['name']), fieldsOf(value['item']));
      case 'agent_updated_stream_event':
        return [];
      default:
        return undefined;
    }
  }

  #readRaw(data: Fields): ModelEvent[] {
    switch (data['type']) {
      case 'response_started':
        this.#hasText = false;
        return [];
      case 'output_text_delta':
        this.#hasText = true;
        return [{ text: textIn(data['delta']) }];
      case 'response_done': {
        const { inputTokens, outputTokens } = fieldsOf(fieldsOf(data['response'])['usage']);
        return usageEvent(inputTokens, outputTokens, true);
      }
      case 'model': {
        // What the provider sent, in its own words.
        const { type, delta, message, response } = fieldsOf(data['event']);
        if (type === 'error' || type === 'response.failed') {
          const words = textIn(message) || textIn(fieldsOf(fieldsOf(response)['error'])['message']);
          return [{ failure: new Error(words || 'the model failed') }];
        }
        if (type === 'response.incomplete') return endEvent('incomplete');
        return THOUGHTS.has(textIn(type)) ? [{ think: textIn(delta) }] : [];
      }
      default:
        return [];
    }
  }

  #readItem(name: string, item: Fields): ModelEvent[] {
    const raw = fieldsOf(item['rawItem']);
    const id = textIn(raw['callId'] ?? raw['id']);
    switch (name) {
      // Models that do not stream give their text, and a refusal, only here.
      case 'message_output_created':
        return this.#hasText ? [] : textsOf(raw['content']).map((text) => ({ text }));
      case 'tool_called': {
        const call = {
          name: textIn(raw['name']) || textIn(raw['type']),
          input: parsed(textIn(raw['arguments']) || 'null') ?? undefined,
        };
        this.#calls.set(id, call);
        const output = raw['output'];
        // A tool of the provider has run already.
        return [toolEvent({ id, ...call, output, status: raw['type'] === 'hosted_tool_call' ? 'done' : 'running' })];
      }
      case 'tool_output': {
        const call = this.#calls.get(id) ?? { name: textIn(raw['name']) };
        return [toolEvent({ id, ...call, output: item['output'], status: 'done' })];
      }
      default:
        return [];
    }
  }
}

/** The texts and refusals in the content of a message. */
const textsOf = (content: unknown): string[] =>
  (Array.isArray(content) ? content : []).flatMap((piece: unknown) => {
    const { type, text, refusal } = fieldsOf(piece);
    if (type === 'refusal') return [textIn(refusal)];
    return type === 'output_text' ? [textIn(text)] : [];
  });
