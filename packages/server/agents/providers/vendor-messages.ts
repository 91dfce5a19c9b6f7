import { ProviderError, type ProviderMessage } from './provider.ts';

const openingText = '(Earlier messages are left out.)';

/** One part of a turn; `name`: who of several users wrote it. */
export interface TurnPart {
  text: string;
  name?: string;
}

/** What one side says before the other one answers: at least one part, none blank. */
export interface VendorTurn {
  role: 'user' | 'assistant';
  parts: TurnPart[];
}

/**
 * The messages in the form that every vendor takes (PROVIDER-14). Anthropic refuses blank messages, half surrogate
 * pairs, and a conversation that the assistant opens; the templates of many local models refuse two neighbours of the
 * same role. What different users wrote stays apart, as parts of one turn (PROVIDER-17).
 */
export function vendorTurns(messages: readonly ProviderMessage[]): VendorTurn[] {
  const turns: VendorTurn[] = [];
  for (const { role, text, from } of messages) {
    if (text.trim() === '') continue;
    const part = { text: text.toWellFormed(), ...(from !== undefined && { name: from }) };
    const turn = turns.at(-1);
    const before = turn?.parts.at(-1);
    if (turn?.role !== role || !before) turns.push({ role, parts: [part] });
    else if (part.name === undefined && before.name === undefined) before.text += `\n\n${part.text}`;
    else turn.parts.push(part);
  }
  if (turns.length === 0) throw new ProviderError('bad_request', 'There is no text to answer.');
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', parts: [{ text: openingText }] });
  return turns;
}

/** A turn as one text, for servers that take nothing else. */
export const textOf = ({ parts }: VendorTurn): string => parts.map(({ text }) => text).join('\n\n');
