import { reasonIn } from './end-reasons.ts';
import { unknownShape } from './event-stream.ts';
import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import { PICTURE, pictureInAddress } from '../../rules/picture-events.ts';
import { OpenaiCalls } from './openai-calls.ts';
import { openaiUsage } from './openai-usage.ts';
import { OpenaiSources } from './openai-sources.ts';
import type { OpenaiAnswer } from './openai-answer.ts';
import type { EndReason, ProviderEvent } from './provider.ts';
import type { Said, VendorReader } from './read-reply.ts';
import { ThinkTags } from './think-tags.ts';

type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

/**
 * Reads the chunks of the Chat Completions API, as many servers send them. It is lenient: only a `choices` that is no list
 * is refused, and fields of other types than expected are ignored. docs/MODEL-STREAMS.md lists what is read.
 */
export class OpenaiReader implements VendorReader {
  readonly #content = new ThinkTags();
  readonly #calls: OpenaiCalls;
  readonly #answer: OpenaiAnswer | undefined;
  readonly #sources = new OpenaiSources();
  #hasContent = false;

  /** `answer`: of a request with tools. */
  constructor(answer?: OpenaiAnswer) {
    this.#calls = answer?.calls ?? new OpenaiCalls();
    this.#answer = answer;
  }

  *read(data: Fields, _name = '', pictures: readonly Uint8Array[] = []): Generator<Said> {
    const { choices } = data;
    if (choices !== undefined && choices !== null && !Array.isArray(choices)) throw unknownShape();
    const [first] = listIn(choices);
    const choice = isObject(first) ? first : NONE;
    const delta = this.#deltaOf(choice);
    this.#answer?.read(delta);
    yield* this.#thoughts(delta);
    yield* this.#contentIn(delta['content']);
    yield* this.#picturesIn(delta, pictures);
    yield* this.#text(textIn(delta['refusal']));
    yield* this.#calls.read(delta);
    yield* this.#sources.read(data, choice, delta);
    const usage = openaiUsage(data, choice);
    if (usage) yield usage;
    const reason = reasonIn(choice['finish_reason']);
    if (reason !== undefined) yield { type: 'reason', reason };
  }

  *end(): Generator<ProviderEvent> {
    yield* this.#content.end();
    yield* this.#calls.end();
  }

  *step(reason: EndReason): Generator<ProviderEvent> {
    if (this.#answer) yield* this.#answer.end(reason);
  }

  /** What a chunk adds. A server that does not stream sends the whole `message` instead. */
  #deltaOf({ delta, message }: Fields): Fields {
    if (isObject(delta)) return delta;
    return isObject(message) && !this.#hasContent ? message : NONE;
  }

  *#thoughts(delta: Fields): Generator<ProviderEvent> {
    const given = textIn(delta['reasoning_content']) || textIn(delta['reasoning']);
    const text = given || listIn(delta['reasoning_details']).map(detailIn).join('');
    if (text !== '') yield { type: 'reasoning', text };
  }

  /** A text, or a list of texts, thoughts and things that are not shown. */
  *#contentIn(content: unknown): Generator<ProviderEvent> {
    for (const item of Array.isArray(content) ? listIn(content) : [content]) {
      if (typeof item === 'string') yield* this.#text(item);
      else if (isObject(item)) yield* this.#item(item);
    }
  }

  /** Pictures in `images`, as OpenRouter, LiteLLM and others send them, or in a list of contents. */
  *#picturesIn({ images, content }: Fields, pictures: readonly Uint8Array[]): Generator<ProviderEvent> {
    for (const item of [...listIn(images), ...listIn(content)]) {
      const given = isObject(item) ? item['image_url'] : undefined;
      const address = textIn(isObject(given) ? given['url'] : given);
      if (address === '') continue;
      this.#hasContent = true;
      const bytes = address.startsWith(PICTURE)
        ? pictures[Number(address.slice(PICTURE.length))]
        : pictureInAddress(address);
      if (bytes) yield { type: 'picture', bytes };
      else if (/^https?:/.test(address)) yield { type: 'picture', url: address };
      else yield { type: 'picture' };
    }
  }

  *#item(item: Fields): Generator<ProviderEvent> {
    const { type, thinking } = item;
    if (type === 'thinking' || type === 'reasoning') {
      const text = [thinking ?? item['text']].flat().map(thoughtIn).join('');
      if (text !== '') yield { type: 'reasoning', text };
    } else yield* this.#text(textIn(item['text']) || textIn(item['refusal']));
  }

  *#text(text: string): Generator<ProviderEvent> {
    if (text === '') return;
    this.#hasContent = true;
    this.#answer?.content(text);
    if (this.#content.isOver) yield { type: 'text', text };
    else yield* this.#content.read(text);
  }
}

const thoughtIn = (thought: unknown): string => (isObject(thought) ? textIn(thought['text']) : textIn(thought));

/** One of the `reasoning_details` of OpenRouter; encrypted ones have neither field. */
const detailIn = (detail: unknown): string =>
  isObject(detail) ? textIn(detail['text']) || textIn(detail['summary']) : '';
