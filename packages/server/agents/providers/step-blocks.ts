import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import type { ProviderMessage, ProviderRequest, ProviderStep, ToolDefinition } from './provider.ts';
import { resultOf } from './tool-calls.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What both protocols have in the blocks of a step. */
export interface StepBlocks {
  protocol: 'messages' | 'chat';
  /** The server and model that wrote them, which alone take their thoughts back. */
  from: string;
}

/** Those of this protocol; undefined for another one's, which an agent may have been moved from. */
export const blocksOf = (protocol: StepBlocks['protocol'], { blocks }: ProviderStep): Fields | undefined =>
  isObject(blocks) && blocks['protocol'] === protocol ? blocks : undefined;

/** What an answer says and calls, whatever its protocol. */
export function saidIn({ blocks }: ProviderStep): {
  text: string;
  calls: { id: string; name: string; json: string }[];
} {
  if (!isObject(blocks)) return { text: '', calls: [] };
  const { message, content } = blocks;
  if (isObject(message)) {
    const calls = listIn(message['tool_calls']).filter(isObject);
    return { text: textIn(message['content']), calls: calls.map((call) => calledIn(call['id'], call['function'])) };
  }
  const items = listIn(content).filter(isObject);
  const texts = items.filter(({ type }) => type === 'text').map(({ text }) => textIn(text));
  const calls = items.filter(({ type }) => type === 'tool_use');
  return { text: texts.join(''), calls: calls.map(({ id, name, input }) => calledIn(id, { name, arguments: input })) };
}

function calledIn(id: unknown, given: unknown): { id: string; name: string; json: string } {
  const { name, arguments: input }: Fields = isObject(given) ? given : {};
  return { id: textIn(id), name: textIn(name), json: typeof input === 'string' ? input : JSON.stringify(input ?? {}) };
}

/** The ids of all calls so far. */
export const idsIn = (steps: readonly ProviderStep[]): string[] =>
  steps.flatMap((step) => saidIn(step).calls.map(({ id }) => id));

/** A step in words, for a model that cannot have it in the form in which it was written. */
export function stepInWords(step: ProviderStep): { answer: string; results: string } {
  const { text, calls } = saidIn(step);
  const called = calls.map(({ name, json }) => `(I called the tool ${name} with ${json})`);
  const returned = calls.map(({ id, name }) => `(The tool ${name} returned:)\n${resultOf(step.results, id).text}`);
  return { answer: [text, ...called].filter((one) => one.trim() !== '').join('\n\n'), results: returned.join('\n\n') };
}

export const hasTools = (request: ProviderRequest): request is ProviderRequest & { tools: readonly ToolDefinition[] } =>
  request.tools !== undefined && request.tools.length > 0;

/**
 * The request as it can be sent: vendors take calls only in a request with tools. Without any, the steps are in words; but
 * an answer that the vendor paused goes back as it is.
 */
export const sendable = (request: ProviderRequest): ProviderRequest =>
  hasTools(request) || (request.webSearch && !request.steps?.some((step) => saidIn(step).calls.length > 0))
    ? request
    : withoutTools(request);

/** The request without tools, and with its steps in words: vendors take no calls in a request without tools. */
export function withoutTools({ tools: _tools, steps = [], ...request }: ProviderRequest): ProviderRequest {
  if (steps.length === 0) return request;
  const told = steps.flatMap((step): ProviderMessage[] => {
    const { answer, results } = stepInWords(step);
    return [
      { role: 'assistant', text: answer },
      { role: 'user', text: results },
    ];
  });
  return { ...request, messages: [...request.messages, ...told] };
}
