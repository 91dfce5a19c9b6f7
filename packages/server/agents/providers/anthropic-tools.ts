import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import type { ProviderEvent } from './provider.ts';
import type { Said } from './read-reply.ts';
import { callName } from './tool-calls.ts';
import { ToolInput } from './tool-input.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Tool {
  readonly key: string;
  readonly name: string;
  /** What arrives in pieces after the block has begun; some tools come with a whole input instead. */
  readonly pieces: ToolInput;
  input: unknown;
}

/**
 * Reads the tools among the blocks of Anthropic's Messages API: `tool_use` is for the client to run, `server_tool_use` and
 * `mcp_tool_use` are run by the vendor, whose results are blocks of their own (PART-16).
 */
export class AnthropicTools {
  readonly #open = new Map<unknown, Tool>();
  readonly #byId = new Map<string, Tool>();
  /** The tools that the client offers. */
  readonly #offered: { offers(name: string): boolean } | undefined;

  /**
   * `offered`: calls of a client's tools are not shown, because it is asked to run them. `begun`: what the answer that this
   * one continues has said.
   */
  constructor(offered?: { offers(name: string): boolean }, begun: readonly object[] = []) {
    this.#offered = offered;
    for (const { type, id, name, input } of begun.filter(isObject)) {
      if (!/._tool_use$/.test(textIn(type))) continue;
      this.#byId.set(textIn(id), { key: textIn(id), name: textIn(name), pieces: new ToolInput(), input });
    }
  }

  /** The events of a block that begins. */
  *start(index: unknown, block: Fields): Generator<Said> {
    const type = textIn(block['type']);
    if (type.endsWith('tool_use')) {
      const { id, name, input } = block;
      if (typeof id !== 'string' || typeof name !== 'string' || (this.#offered && name === '')) return;
      if (type === 'tool_use') yield { type: 'asks', isOffered: this.#offered?.offers(callName(name)) === true };
      if (type === 'tool_use' && this.#offered) return;
      const hasInput = isObject(input) && Object.keys(input).length > 0;
      const tool = { key: id, name, pieces: new ToolInput(), input: hasInput ? input : undefined };
      this.#open.set(index, tool);
      this.#byId.set(id, tool);
      yield { type: 'tool', key: id, name, ...(hasInput && { input }), status: 'running' };
    } else if (type.endsWith('_tool_result')) yield* this.#result(block);
  }

  /** A piece of the input. */
  piece(index: unknown, json: string): void {
    this.#open.get(index)?.pieces.add(json);
  }

  /** The events of a block that ends. */
  *stop(index: unknown): Generator<ProviderEvent> {
    const tool = this.#open.get(index);
    if (!tool) return;
    this.#open.delete(index);
    const { key, name, pieces } = tool;
    tool.input = pieces.isEmpty ? (tool.input ?? {}) : pieces.value();
    yield { type: 'tool', key, name, input: tool.input, status: 'running' };
  }

  *#result({ tool_use_id: id, content, is_error: isError }: Fields): Generator<ProviderEvent> {
    const tool = this.#byId.get(textIn(id));
    if (!tool) return;
    const { key, name, input } = tool;
    const shown = { type: 'tool', key, name, input } as const;
    if (isError === true || (isObject(content) && textIn(content['type']).endsWith('_error'))) {
      yield { ...shown, status: 'failed', error: wordsOf(content) };
      return;
    }
    const pages = listIn(content).flatMap(pageOf);
    // The content of what was found is encrypted; what other tools answer is shown as it is.
    yield { ...shown, output: pages.length > 0 ? pages : content, status: 'done' };
    for (const { url, title } of pages) yield { type: 'source', url, title };
  }
}

function pageOf(item: unknown): { url: string; title: string | undefined }[] {
  if (!isObject(item) || item['type'] !== 'web_search_result' || typeof item['url'] !== 'string') return [];
  return [{ url: item['url'], title: textIn(item['title']) || undefined }];
}

/** Why a tool failed: a code, or the texts of its result. */
const wordsOf = (content: unknown): string =>
  isObject(content)
    ? textIn(content['error_code']) || textIn(content['text']) || textIn(content['type'])
    : textIn(content) ||
      listIn(content)
        .map((item) => (isObject(item) ? textIn(item['text']) : ''))
        .filter((text) => text !== '')
        .join('\n') ||
      'error';
