import type { Chat } from '@parley/client/store';
import { parseMarkdown } from '../markdown/parser/parse.ts';
import type { Block, Inline } from '../markdown/parser/tree.ts';

/** The note below the composer about mentioned agents that are not in the chat; null if there are none. */
export function absentAgentsNote(text: string, { kind, participants, participant_count }: Chat): string | null {
  // Only the first participants of a large group are loaded.
  if (!text.includes('@') || participants.length < participant_count) return null;
  const present = new Set(participants.map(({ username }) => username));
  const absent = [...new Set(mentionsIn(parseMarkdown(text)))].filter(
    (name) => name.includes(':') && !present.has(name),
  );
  if (absent.length === 0) return null;
  const names = absent.map((name) => `@${name}`).join(', ');
  const who = absent.length === 1 ? 'is not in this chat, so it does' : 'are not in this chat, so they do';
  return `${names} ${who} not see your message.${kind === 'group' ? ' You can add your agents in the group’s details.' : ''}`;
}

function* mentionsIn(blocks: readonly Block[]): Generator<string> {
  for (const block of blocks) {
    if (block.kind === 'paragraph' || block.kind === 'heading') yield* mentionsOf(block.children);
    else if (block.kind === 'quote' || block.kind === 'tag') yield* mentionsIn(block.blocks);
    else if (block.kind === 'list') for (const item of block.items) yield* mentionsIn(item.blocks);
    else if (block.kind === 'table') for (const cell of [block.head, ...block.rows].flat()) yield* mentionsOf(cell);
  }
}

function* mentionsOf(inlines: readonly Inline[]): Generator<string> {
  for (const inline of inlines) {
    if (inline.kind === 'mention') yield inline.username;
    else if ('children' in inline) yield* mentionsOf(inline.children);
  }
}
