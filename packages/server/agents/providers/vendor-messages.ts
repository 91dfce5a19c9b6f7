import type { MessageFile } from '../../rules/context-files.ts';
import { ProviderError, type ProviderMessage } from './provider.ts';

const openingText = '(Earlier messages are left out.)';

/** One part of a turn. `name`: the user who wrote it, if there are several. */
export interface TurnPart {
  text: string;
  name?: string;
  /** Images and documents that follow the text. */
  files?: readonly MessageFile[];
}

/** Everything that one role says before the other one answers: at least one part, none of them blank. */
export interface VendorTurn {
  role: 'user' | 'assistant';
  parts: TurnPart[];
}

/**
 * The messages in a form that every vendor accepts (PROVIDER-14). Anthropic refuses blank messages, half surrogate
 * pairs, and conversations that the assistant opens; the templates of many local models refuse two messages of the
 * same role in a row. Messages of different users stay separate, as parts of one turn (PROVIDER-17).
 */
export function vendorTurns(messages: readonly ProviderMessage[]): VendorTurn[] {
  const turns: VendorTurn[] = [];
  for (const { role, text, from, files } of messages) {
    if (text.trim() === '') continue;
    const part: TurnPart = {
      text: text.toWellFormed(),
      ...(from !== undefined && { name: from }),
      ...(files && { files }),
    };
    const turn = turns.at(-1);
    const before = turn?.parts.at(-1);
    if (turn?.role !== role || !before) turns.push({ role, parts: [part] });
    else if (isSamePart(before, part)) before.text += `\n\n${part.text}`;
    else turn.parts.push(part);
  }
  if (turns.length === 0) throw new ProviderError('bad_request', 'There is no text to answer.');
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', parts: [{ text: openingText }] });
  return turns;
}

const isSamePart = (before: TurnPart, next: TurnPart): boolean =>
  [before, next].every(({ name, files }) => name === undefined && files === undefined);

/** The texts and files of a turn, in order; neighbouring texts joined. */
export function contentOf(parts: readonly TurnPart[]): (string | MessageFile)[] {
  const content: (string | MessageFile)[] = [];
  for (const { text, files = [] } of parts) {
    const before = content.at(-1);
    if (typeof before === 'string') content.splice(-1, 1, `${before}\n\n${text}`, ...files);
    else content.push(text, ...files);
  }
  return content;
}
