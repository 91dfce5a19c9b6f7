import type { Timeline } from '@parley/client/store';
import type { Message } from '@parley/protocol';
import { useAnnouncement } from '@parley/react';
import { useCallback } from 'react';
import { useSession } from '../../session/session.ts';
import { partText } from '../../words/part-text.ts';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { knownNames, type NameOf } from '../../chats/chat/known-names.ts';
import { plainLine } from '../../chats/chat/preview.ts';

const MAX_LETTERS = 240;

/** Announces new messages to screen readers; streaming replies once they have finished. */
export function Announcer({ timeline }: { timeline: Timeline }) {
  const { store, username } = useSession();
  const textOf = useCallback((message: Message) => announcementOf(message, knownNames(store)), [store]);
  const text = useAnnouncement(timeline, username, textOf);
  return (
    <p className="ui-spoken" role="status" aria-live="polite" data-announcer>
      {text}
    </p>
  );
}

/** A message as it is read out, with what the service notes about it. */
function announcementOf(message: Message, nameOf: NameOf): string {
  const notices = (message.parts ?? []).flatMap((part) => (part.type === 'notice' ? [partText(part)] : []));
  const said = t('{name}: {text}', {
    name: shownName(message.sender),
    text: plainLine(message, nameOf).slice(0, MAX_LETTERS),
  });
  return [said, ...notices.map((text) => t('Note: {text}', { text: text.slice(0, MAX_LETTERS) }))].join(' ');
}
