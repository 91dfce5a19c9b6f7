import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import type { ProviderStep } from './provider.ts';
import { blocksOf, type StepBlocks, stepInWords } from './step-blocks.ts';
import { resultOf } from './tool-calls.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The blocks of a step of Anthropic's Messages API. */
export interface AnthropicStep extends StepBlocks {
  protocol: 'messages';
  content: readonly object[];
  /** Where the vendor keeps what its tools work with. */
  container?: string;
}

export interface AnthropicMessage {
  role: 'user' | 'assistant';
  content: string | readonly object[];
}

/** What a paused answer has said so far, which its continuation belongs to. */
export function pausedContent(steps: readonly ProviderStep[]): readonly object[] {
  const last = steps.at(-1);
  return last && isPaused(last) ? contentOf(blocksOf('messages', last)) : [];
}

const isPaused = (step: ProviderStep): boolean =>
  step.results.length === 0 && !contentOf(blocksOf('messages', step)).some(isCall);

/** The container that the newest step names. */
export const containerIn = (steps: readonly ProviderStep[]): string =>
  steps.map((step) => textIn(blocksOf('messages', step)?.['container'])).findLast((id) => id !== '') ?? '';

/** The messages of a request with the steps behind them; those of one role that meet are one. */
export function withSteps(
  messages: readonly AnthropicMessage[],
  steps: readonly ProviderStep[],
  from: string,
): AnthropicMessage[] {
  const all = [...messages];
  for (const one of steps.flatMap((step) => messagesOf(step, from))) {
    const last = all.at(-1);
    if (last?.role !== one.role) all.push(one);
    else all[all.length - 1] = { role: one.role, content: [...listed(last.content), ...listed(one.content)] };
  }
  return all;
}

const listed = (content: AnthropicMessage['content']): readonly object[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function messagesOf(step: ProviderStep, from: string): AnthropicMessage[] {
  const blocks = blocksOf('messages', step);
  if (!blocks) {
    const { answer, results } = stepInWords(step);
    return [
      { role: 'assistant' as const, content: answer },
      { role: 'user' as const, content: results },
    ].filter(({ content }) => content !== '');
  }
  const isOwn = blocks['from'] === from;
  const content = contentOf(blocks).filter((block) => isOwn || !isThought(block));
  const results = content.filter(isCall).map(({ id }) => resultBlock(step, textIn(id)));
  return [
    { role: 'assistant' as const, content },
    { role: 'user' as const, content: results },
  ].filter((message) => message.content.length > 0);
}

function resultBlock({ results }: ProviderStep, id: string): object {
  const { text, isError } = resultOf(results, id);
  return { type: 'tool_result', tool_use_id: id, content: text, ...(isError && { is_error: true }) };
}

const contentOf = (blocks: Fields | undefined): readonly Fields[] => listIn(blocks?.['content']).filter(isObject);

const isCall = ({ type }: Fields): boolean => type === 'tool_use';

/** Whether a block is one of thoughts, which only the model that wrote it takes. */
export const isThought = ({ type }: Fields): boolean => type === 'thinking' || type === 'redacted_thinking';

/** Whether the newest answer began with thoughts: the older form of thinking takes no other. */
export const beganWithThoughts = (steps: readonly ProviderStep[], from: string): boolean =>
  steps.slice(-1).every((step) => {
    const blocks = blocksOf('messages', step);
    const [first] = contentOf(blocks);
    return blocks?.['from'] === from && first !== undefined && isThought(first);
  });
