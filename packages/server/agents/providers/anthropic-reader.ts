import type { AnthropicAnswer } from './anthropic-answer.ts';
import { AnthropicTools } from './anthropic-tools.ts';
import { AnthropicUsage } from './anthropic-usage.ts';
import { reasonIn } from './end-reasons.ts';
import { unknownShape } from './event-stream.ts';
import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import type { EndReason, ProviderEvent } from './provider.ts';
import type { Said, VendorReader } from './read-reply.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the events of Anthropic's Messages API, as gateways in front of other models send them too. Blocks, deltas and
 * events of unknown types are ignored; an event without a type, or a delta without a `delta`, is refused.
 * docs/MODEL-STREAMS.md lists what is read.
 */
export class AnthropicReader implements VendorReader {
  readonly #usage = new AnthropicUsage();
  readonly #tools: AnthropicTools;
  readonly #answer: AnthropicAnswer | undefined;
  #hasBegun = false;

  /** `answer`: of a request with tools. */
  constructor(answer?: AnthropicAnswer) {
    this.#tools = new AnthropicTools(answer?.hasOffer ? answer : undefined, answer?.begun);
    this.#answer = answer;
  }

  *read(data: Fields, name: string): Generator<Said> {
    // Some gateways leave the type to the event's name.
    switch (textIn(data['type']) || name) {
      case '':
        throw unknownShape();
      case 'message_start':
        yield* this.#message(isObject(data['message']) ? data['message'] : {});
        break;
      // The whole message at once, from a server that does not stream.
      case 'message':
        yield* this.#message(data);
        yield* this.#reason(data);
        yield { type: 'mark' };
        break;
      case 'content_block_start':
        if (isObject(data['content_block'])) yield* this.#start(data['index'], data['content_block']);
        break;
      case 'content_block_delta':
        if (!isObject(data['delta'])) throw unknownShape();
        yield* this.#delta(data['index'], data['delta']);
        break;
      case 'content_block_stop':
        yield* this.#stop(data['index']);
        break;
      case 'message_delta':
        yield* this.#usage.read(data['usage']);
        if (!isObject(data['delta'])) break;
        this.#answer?.message(data['delta']);
        yield* this.#reason(data['delta']);
        break;
      case 'message_stop':
        yield { type: 'mark' };
    }
  }

  *end(): Generator<ProviderEvent> {}

  *step(reason: EndReason): Generator<ProviderEvent> {
    if (this.#answer) yield* this.#answer.end(reason);
  }

  /** What a message begins with: mostly its usage alone. Its text is read once: the event can be repeated. */
  *#message(message: Fields): Generator<Said> {
    yield* this.#usage.read(message['usage']);
    this.#answer?.message(message);
    const blocks = this.#hasBegun ? [] : listIn(message['content']);
    this.#hasBegun = true;
    for (const [index, block] of blocks.entries()) {
      if (!isObject(block)) continue;
      yield* this.#start(`message ${index}`, block);
      yield* this.#stop(`message ${index}`);
    }
  }

  *#stop(index: unknown): Generator<ProviderEvent> {
    this.#answer?.stop(index);
    yield* this.#tools.stop(index);
  }

  *#start(index: unknown, block: Fields): Generator<Said> {
    this.#answer?.start(index, block);
    if (block['type'] === 'text') {
      yield* texts('text', block['text']);
      for (const cited of listIn(block['citations'])) yield* citation(cited);
    } else if (block['type'] === 'thinking') yield* texts('reasoning', block['thinking']);
    else yield* this.#tools.start(index, block);
  }

  *#delta(index: unknown, delta: Fields): Generator<Said> {
    this.#answer?.delta(index, delta);
    switch (delta['type']) {
      case 'text_delta':
        yield* texts('text', delta['text']);
        break;
      case 'thinking_delta':
        yield* texts('reasoning', delta['thinking']);
        break;
      case 'input_json_delta':
        this.#tools.piece(index, textIn(delta['partial_json']));
        break;
      case 'citations_delta':
        yield* citation(delta['citation']);
    }
  }

  *#reason({ stop_reason: given }: Fields): Generator<Said> {
    const reason = reasonIn(given);
    if (reason !== undefined) yield { type: 'reason', reason };
  }
}

function* texts(type: 'text' | 'reasoning', text: unknown): Generator<ProviderEvent> {
  if (typeof text === 'string' && text !== '') yield { type, text };
}

/** A citation of a page; those of documents have no address. */
function* citation(cited: unknown): Generator<ProviderEvent> {
  if (!isObject(cited) || typeof cited['url'] !== 'string') return;
  const { url, title, cited_text: excerpt } = cited;
  yield {
    type: 'source',
    url,
    title: textIn(title) || undefined,
    excerpt: textIn(excerpt) || undefined,
    isCited: true,
  };
}
