// The text of a decision's message: the service writes it, and apps that show the decision leave out what it added.
import type { Decision } from './resources/decisions.ts';

/** What the text says of fields and options, after the question (DECIDE-3). */
export const choicesText = ({ options, form }: Pick<Decision, 'options' | 'form'>): string =>
  [
    '',
    ...(form ? [`To fill in: ${form.map(({ label }) => label).join(', ')}`] : []),
    options.map(({ label }) => `- ${label}`).join('\n'),
  ].join('\n\n');

/** The question alone; the whole text if it was written by another rule. */
export function questionIn(content: string, decision: Pick<Decision, 'options' | 'form'>): string {
  const at = content.lastIndexOf(choicesText(decision));
  return at === -1 ? content : content.slice(0, at);
}
