import type { Timeline } from '@parley/client/store';
import type { Message } from '@parley/protocol';
import { useEffect, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { knownNames, type NameOf } from '../../chats/chat/known-names.ts';
import { plainLine } from '../../chats/chat/preview.ts';
import styles from './announcer.module.css';

const MOST_LETTERS = 240;

/** Announces new messages to screen readers; streaming replies once they have finished. */
export function Announcer({ timeline }: { timeline: Timeline }) {
  const { store, username } = useSession();
  const [text, setText] = useState('');

  useEffect(() => {
    let last: string | undefined;
    let isFirst = true;
    const waiting = new Map<string, () => void>();
    const say = (id: string): boolean => {
      const message = store.message(id).get();
      if (!message || message.status === 'streaming') return false;
      if (!message.service) setText(announcementOf(message, knownNames(store)));
      return true;
    };
    const look = () => {
      const { ids, isLoaded, hasNewer } = timeline.get();
      if (!isLoaded || hasNewer) return;
      const at = last === undefined ? -1 : ids.lastIndexOf(last);
      // If the last message is not in the window the timeline has jumped: announce nothing.
      const fresh = isFirst || at < 0 ? [] : ids.slice(at + 1);
      isFirst = false;
      last = ids.at(-1);
      for (const id of fresh) {
        const message = store.message(id).get();
        if (!message || message.outbox || message.sender.username === username || say(id)) continue;
        const end = store.message(id).subscribe(() => {
          if (store.message(id).get() && !say(id)) return;
          waiting.get(id)?.();
          waiting.delete(id);
        });
        waiting.set(id, end);
      }
    };
    look();
    const end = timeline.subscribe(look);
    return () => {
      end();
      for (const stop of waiting.values()) stop();
    };
  }, [store, timeline, username]);

  return (
    <p className={styles['hidden']} role="status" aria-live="polite" data-announcer>
      {text}
    </p>
  );
}

/** A message as it is read out, with what the service notes about it. */
function announcementOf(message: Message, nameOf: NameOf): string {
  const notices = (message.parts ?? []).flatMap((part) => (part.type === 'notice' ? [part.text] : []));
  const said = t('{name}: {text}', {
    name: shownName(message.sender),
    text: plainLine(message, nameOf).slice(0, MOST_LETTERS),
  });
  return [said, ...notices.map((text) => t('Note: {text}', { text: text.slice(0, MOST_LETTERS) }))].join(' ');
}
