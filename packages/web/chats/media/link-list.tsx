import { hostOf } from '@parley/markdown';
import { Link } from 'lucide-react';
import type { MediaListProps } from './chat-media.tsx';
import styles from './chat-media.module.css';
import { linksIn } from './links-in.ts';
import { Origin } from './origin.tsx';

/** The links of each message. A message that has none only seemed to (FILE-24). */
export function LinkList({ messages }: MediaListProps) {
  const found = messages.map((message) => ({ message, links: linksIn(message.content) }));
  return (
    <ul className={styles['list']}>
      {found
        .filter(({ links }) => links.length > 0)
        .map(({ message, links }) => (
          <li key={message.id}>
            {links.map(({ url, text }) => (
              <a key={url} className={styles['link']} href={url} target="_blank" rel="noopener noreferrer nofollow">
                <Link aria-hidden />
                <span className="ui-shrink">
                  {/* A label may read like another address: the host is always shown. */}
                  <span className="ui-line">{text}</span>
                  <small className="ui-line ui-note">{hostOf(url)}</small>
                </span>
              </a>
            ))}
            <Origin message={message} />
          </li>
        ))}
    </ul>
  );
}
