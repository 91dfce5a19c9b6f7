import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import type { ProviderStep } from './provider.ts';
import { blocksOf, type StepBlocks, stepInWords } from './step-blocks.ts';
import { resultOf } from './tool-calls.ts';

/** The message of a step of the Chat Completions API. */
export interface OpenaiStep extends StepBlocks {
  protocol: 'chat';
  message: object;
}

interface Left {
  /** Without what the model thought. */
  thoughts: boolean;
  /** With an empty text where there is none. */
  emptyText: boolean;
}

/** The messages of a step: the answer, and what each of its calls returned, in the order of the calls. */
export function stepMessages(step: ProviderStep, from: string, left: Left): object[] {
  const blocks = blocksOf('chat', step);
  const given = blocks?.['message'];
  if (!isObject(given)) {
    const { answer, results } = stepInWords(step);
    return [
      { role: 'assistant', content: answer },
      { role: 'user', content: results },
    ].filter(({ content }) => content !== '');
  }
  const { reasoning_content, reasoning, reasoning_details, content, ...message } = given;
  const isOwn = blocks?.['from'] === from && !left.thoughts;
  const thoughts = isOwn ? { reasoning_content, reasoning, reasoning_details } : {};
  const text = textIn(content);
  const calls = listIn(given['tool_calls']).filter(isObject);
  return [
    // Templates write null as a word, where they do not take it for no text; OpenAI's own form is null.
    { ...message, content: text.trim() === '' && !left.emptyText ? null : text, ...thoughts },
    ...calls.map(({ id }) => {
      const { text: returned, isError } = resultOf(step.results, textIn(id));
      return { role: 'tool', tool_call_id: id, content: isError ? inError(returned) : returned };
    }),
  ];
}

/** This API has no field that says that a call failed. */
const inError = (text: string): string => (/^error\b/i.test(text) ? text : `Error: ${text}`);

/** Whether a step has thoughts that are sent back. */
export const hasThoughts = (step: ProviderStep): boolean => {
  const message = blocksOf('chat', step)?.['message'];
  return (
    isObject(message) &&
    ['reasoning_content', 'reasoning', 'reasoning_details'].some((field) => message[field] !== undefined)
  );
};

/** Whether a step has no text beside its calls. */
export const hasNoText = (step: ProviderStep): boolean => {
  const message = blocksOf('chat', step)?.['message'];
  return isObject(message) && textIn(message['content']).trim() === '';
};
