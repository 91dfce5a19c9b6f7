import { ProviderError, type ProviderMessage } from './provider.ts';

const openingText = '(Earlier messages are left out.)';

/**
 * The messages in the form that every vendor takes. Anthropic refuses blank messages, half surrogate pairs, and a
 * conversation that the assistant opens; the templates of many local models refuse two neighbours of the same role.
 */
export function vendorMessages(
  messages: readonly ProviderMessage[],
): { role: 'user' | 'assistant'; content: string }[] {
  const turns: { role: 'user' | 'assistant'; content: string }[] = [];
  for (const { role, text } of messages) {
    if (text.trim() === '') continue;
    const content = text.toWellFormed();
    const last = turns.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else turns.push({ role, content });
  }
  if (turns.length === 0) throw new ProviderError('bad_request', 'There is no text to answer.');
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: openingText });
  return turns;
}
