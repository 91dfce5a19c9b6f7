import type { Chat } from '@parley/client/store';
import { mentionedIn } from '@parley/markdown';
import type { Role } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { lazy, type ReactNode, Suspense, useState } from 'react';

const AskLoudMention = lazy(async () => import('./ask-loud-mention.tsx'));

/** With more people than this, a message to all of them is confirmed first. */
const FEW_PEOPLE = 5;

/** Whether the user's `@all` and `@here` mention anybody in this group (MENTION-15). */
export const mayMentionAll = (chat: Chat, role: Role | undefined): boolean =>
  chat.kind === 'group' && (chat.people_count <= limits.mentionsAllPeople || (role !== undefined && role !== 'member'));

const isLoud = (text: string): boolean =>
  text.includes('@') && [...mentionedIn(text)].some((name) => name === 'all' || name === 'here');

interface LoudMention {
  /** Sends, or asks first. */
  readonly submit: () => void;
  readonly dialog: ReactNode;
}

/** Asks before a message that mentions many people at once; others are sent as ever. */
export function useLoudMention(
  { chat, role, text }: { chat: Chat; role: Role | undefined; text: string | null },
  send: () => void,
): LoudMention {
  const [isAsking, setIsAsking] = useState(false);
  const mustAsk = text !== null && chat.people_count > FEW_PEOPLE && mayMentionAll(chat, role) && isLoud(text);
  return {
    submit: mustAsk ? () => setIsAsking(true) : send,
    dialog: isAsking ? (
      <Suspense fallback={null}>
        <AskLoudMention people={chat.people_count} onSend={send} onClose={() => setIsAsking(false)} />
      </Suspense>
    ) : null,
  };
}
