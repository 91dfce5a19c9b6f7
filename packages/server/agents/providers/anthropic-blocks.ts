import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import { unknownShape } from './event-stream.ts';
import { ProviderError } from './provider.ts';
import { type CallIds, callName, MAX_CALLS, type ReadCall, sentInput } from './tool-calls.ts';
import { isShallow, ToolInput } from './tool-input.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A block of an answer: its fields as it began, and what has arrived since. */
interface Block {
  readonly fields: Record<string, unknown>;
  /** Of fields that arrive in pieces. */
  readonly pieces: Map<string, string[]>;
  readonly citations: unknown[];
  /** Of a tool of any kind. */
  readonly input: ToolInput;
  /** Of a client's tool. */
  readonly call?: ReadCall;
}

/** Maximum characters of an answer that is sent back: far more than a long search of the vendor brings. */
const MAX_CHARS = 8 * 1024 * 1024;

/** Fields that the deltas of each type add to; the last signature counts alone. */
const fieldOfDelta: Readonly<Record<string, readonly [field: string, from: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  compaction_delta: ['content', 'content'],
};
const typeOfDelta: Readonly<Record<string, string>> = { text_delta: 'text', thinking_delta: 'thinking' };

/**
 * The content of an answer of Anthropic's Messages API, as it has to be sent back: each block as it came, thoughts with
 * their signatures, tools of the vendor and their results, in order (PROVIDER-33).
 */
export class AnthropicBlocks {
  readonly #ids: CallIds;
  readonly #all: Block[] = [];
  readonly #open = new Map<unknown, Block>();
  #chars = 0;
  #calls = 0;

  constructor(ids: CallIds) {
    this.#ids = ids;
  }

  start(index: unknown, fields: Fields): void {
    const type = textIn(fields['type']);
    if (type === '' || !this.#isKept(type, fields)) return;
    if (!isShallow(fields)) throw unknownShape();
    this.#count(JSON.stringify(fields).length);
    const input = new ToolInput();
    const call = type === 'tool_use' ? this.#called(fields, input) : undefined;
    const block = { fields: { ...fields }, pieces: new Map(), citations: [], input, ...(call && { call }) };
    this.#open.set(index, block);
    this.#all.push(block);
  }

  delta(index: unknown, delta: Fields): void {
    const type = textIn(delta['type']);
    const block = this.#open.get(index) ?? this.#begun(index, typeOfDelta[type]);
    if (!block) return;
    if (type === 'input_json_delta') this.#piece(block, delta['partial_json']);
    else if (type === 'signature_delta') block.fields['signature'] = this.#counted(delta['signature']);
    else if (type === 'citations_delta') {
      if (!isShallow(delta['citation'])) throw unknownShape();
      this.#count(JSON.stringify(delta['citation'] ?? null).length);
      if (isObject(delta['citation'])) block.citations.push(delta['citation']);
    } else if (Object.hasOwn(fieldOfDelta, type)) {
      const [field = '', from = ''] = fieldOfDelta[type] ?? [];
      const pieces = block.pieces.get(field) ?? [];
      pieces.push(this.#counted(delta[from]));
      block.pieces.set(field, pieces);
    }
  }

  stop(index: unknown): void {
    this.#open.delete(index);
  }

  /** The calls of a client's tools, in order. */
  get calls(): readonly ReadCall[] {
    return this.#all.flatMap(({ call }) => call ?? []);
  }

  /** The blocks in the form in which they are sent back. */
  content(): object[] {
    return this.#all.map(sentBlock).filter((block) => block['type'] !== 'text' || textIn(block['text']).trim() !== '');
  }

  /** A call that has no name, or is one too many, is not sent back, because it gets no result. */
  #isKept(type: string, { id, name }: Fields): boolean {
    if (!type.endsWith('tool_use')) return true;
    const isWhole = typeof id === 'string' && typeof name === 'string' && name !== '';
    return isWhole && (type !== 'tool_use' || this.#calls < MAX_CALLS);
  }

  #called({ id, name, input }: Fields, pieces: ToolInput): ReadCall {
    this.#calls += 1;
    // Some servers send the whole input at once, and pieces instead if there are any.
    const whole = new ToolInput();
    if (isObject(input) && Object.keys(input).length > 0) whole.add(JSON.stringify(input));
    return {
      id: this.#ids.of(textIn(id)),
      name: callName(textIn(name)),
      get input() {
        return pieces.isEmpty ? whole : pieces;
      },
    };
  }

  /** The block of deltas that no event began. */
  #begun(index: unknown, type: string | undefined): Block | undefined {
    if (type !== undefined) this.start(index, { type, [type]: '' });
    return this.#open.get(index);
  }

  #piece(block: Block, json: unknown): void {
    block.input.add(this.#counted(json));
  }

  #counted(text: unknown): string {
    const given = textIn(text);
    this.#count(given.length);
    return given;
  }

  #count(chars: number): void {
    this.#chars += chars;
    if (this.#chars > MAX_CHARS)
      throw new ProviderError('protocol', 'The provider’s answer is too long to be continued.');
  }
}

function sentBlock({ fields, pieces, citations, input, call }: Block): Fields {
  const block: Record<string, unknown> = { ...fields };
  for (const [field, texts] of pieces) block[field] = textIn(fields[field]) + texts.join('');
  if (citations.length > 0) block['citations'] = [...listIn(fields['citations']), ...citations];
  if (block['type'] === 'text') block['text'] = textIn(block['text']).toWellFormed();
  if (call) return { ...block, id: call.id, name: call.name, input: sentInput(call.input) };
  if (textIn(block['type']).endsWith('tool_use') && !input.isEmpty) block['input'] = input.object() ?? {};
  return block;
}
