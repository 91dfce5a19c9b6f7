import type { Chat } from '@parley/client/store';
import { mentionedIn } from '@parley/markdown';

/** The note below the composer about mentioned agents that are not in the chat; null if there are none. */
export function absentAgentsNote(text: string, { kind, participants, participant_count }: Chat): string | null {
  // Only the first participants of a large group are loaded.
  if (!text.includes('@') || participants.length < participant_count) return null;
  const present = new Set(participants.map(({ username }) => username));
  const absent = [...mentionedIn(text)].filter((name) => name.includes(':') && !present.has(name));
  if (absent.length === 0) return null;
  const names = absent.map((name) => `@${name}`).join(', ');
  const who = absent.length === 1 ? 'is not in this chat, so it does' : 'are not in this chat, so they do';
  return `${names} ${who} not see your message.${kind === 'group' ? ' You can add your agents in the group’s details.' : ''}`;
}
