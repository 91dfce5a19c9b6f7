import { z } from 'zod';
import type { ProviderEvent } from './provider.ts';

/** Of content blocks and their deltas only what a reply shows; anything else about them is ignored. */
const start = z.object({ index: z.number(), content_block: z.looseObject({ type: z.string() }) });
const delta = z.object({ index: z.number(), delta: z.looseObject({ type: z.string() }) });
const stop = z.object({ index: z.number() });
const thinking = z.object({ thinking: z.string() });
const inputPiece = z.object({ partial_json: z.string() });
const citation = z.object({
  citation: z.object({ url: z.string(), title: z.string().nullish(), cited_text: z.string().nullish() }),
});
const toolUse = z.object({ id: z.string(), name: z.string(), input: z.unknown().optional() });
const toolResult = z.object({ tool_use_id: z.string(), content: z.unknown() });
const found = z.object({ type: z.literal('web_search_result'), url: z.string(), title: z.string().nullish() });
const failure = z.object({ type: z.string().endsWith('_error'), error_code: z.string() });

/** Maximum input of a tool that is gathered from its pieces; above that the tool is shown without input. */
const MAX_INPUT_CHARS = 64 * 1024;

interface OpenTool {
  readonly id: string;
  readonly name: string;
  json: string;
}

/** Reads the thoughts, tools and sources among the content blocks of Anthropic's Messages API (PART-16). What is malformed has no event. */
export class AnthropicBlocks {
  /** Tools whose input is arriving, by the index of their block. */
  readonly #tools = new Map<number, OpenTool>();
  /** The names of tools by id, for their results. */
  readonly #names = new Map<string, { name: string; input: unknown }>();

  /** The events of `content_block_start`. */
  *start(data: unknown): Generator<ProviderEvent> {
    const event = start.safeParse(data).data;
    if (!event) return;
    const { index, content_block: block } = event;
    if (block.type === 'server_tool_use') {
      const tool = toolUse.safeParse(block).data;
      if (!tool) return;
      this.#tools.set(index, { ...tool, json: '' });
      yield { type: 'tool', key: tool.id, name: tool.name, status: 'running' };
    } else if (block.type.endsWith('_tool_result')) {
      const result = toolResult.safeParse(block).data;
      if (result) yield* this.#result(result.tool_use_id, result.content);
    }
  }

  /** The events of a `content_block_delta` that is not text. */
  *delta(data: unknown): Generator<ProviderEvent> {
    const event = delta.safeParse(data).data;
    const piece = event?.delta;
    if (piece?.type === 'thinking_delta') {
      const text = thinking.safeParse(piece).data?.thinking;
      if (text) yield { type: 'reasoning', text };
    } else if (event && piece?.type === 'input_json_delta') {
      const tool = this.#tools.get(event.index);
      const json = inputPiece.safeParse(piece).data?.partial_json ?? '';
      if (tool && tool.json.length <= MAX_INPUT_CHARS) tool.json += json;
    } else if (piece?.type === 'citations_delta') {
      const cited = citation.safeParse(piece).data?.citation;
      if (cited)
        yield {
          type: 'source',
          url: cited.url,
          title: cited.title ?? undefined,
          excerpt: cited.cited_text ?? undefined,
          isCited: true,
        };
    }
  }

  /** The events of `content_block_stop`. */
  *stop(data: unknown): Generator<ProviderEvent> {
    const event = stop.safeParse(data).data;
    const tool = event && this.#tools.get(event.index);
    if (!tool) return;
    this.#tools.delete(event.index);
    const input = tool.json.length <= MAX_INPUT_CHARS ? parsed(tool.json) : undefined;
    this.#names.set(tool.id, { name: tool.name, input });
    yield { type: 'tool', key: tool.id, name: tool.name, input, status: 'running' };
  }

  *#result(key: string, content: unknown): Generator<ProviderEvent> {
    const tool = this.#names.get(key);
    if (!tool) return;
    const failed = failure.safeParse(content).data;
    if (failed) {
      yield { type: 'tool', key, ...tool, status: 'failed', error: failed.error_code };
      return;
    }
    const pages = (Array.isArray(content) ? content : []).flatMap((item) => found.safeParse(item).data ?? []);
    // The content of what was found is encrypted; what other tools answer is shown as it is.
    const output = pages.length > 0 ? pages.map(({ url, title }) => ({ url, title: title ?? undefined })) : content;
    yield { type: 'tool', key, ...tool, output, status: 'done' };
    for (const { url, title } of pages) yield { type: 'source', url, title: title ?? undefined };
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
