import { handleOf } from '../words/shown-name.ts';
import type { Chat } from '@parley/client/store';
import { mentionedIn } from '@parley/markdown';
import { listOf } from '../words/list-of.ts';
import { t } from '../words/t.ts';

/** The agents that a text mentions and that are not in the chat. */
export function absentAgents(text: string, { participants, participant_count }: Chat): string[] {
  // Only the first participants of a large group are loaded.
  if (!text.includes('@') || participants.length < participant_count) return [];
  const present = new Set(participants.map(({ username }) => username));
  return [...mentionedIn(text)].filter((name) => name.includes(':') && !present.has(name));
}

/** The note below the composer about them, after such a message was sent; null if there are none. */
export function absentAgentsNote(text: string, chat: Chat): string | null {
  const absent = absentAgents(text, chat);
  if (absent.length === 0) return null;
  const note = t(
    '{count, plural, one {{names} isn’t in this chat, so it doesn’t see your message.} other {{names} aren’t in this chat, so they don’t see your message.}}',
    { count: absent.length, names: listOf(absent.map(handleOf)) },
  );
  return chat.kind === 'group' ? `${note} ${t('You can add your agents in the group’s details.')}` : note;
}
