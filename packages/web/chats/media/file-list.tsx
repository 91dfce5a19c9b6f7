import { StoredFile } from '../../files/stored-file.tsx';
import { isShown } from '../../files/viewer/gallery.ts';
import type { MediaListProps } from './chat-media.tsx';
import styles from './chat-media.module.css';
import { Origin } from './origin.tsx';

/** Files that are neither photos nor videos. */
export function FileList({ messages }: MediaListProps) {
  return (
    <ul className={styles['list']}>
      {messages.map((message) => (
        <li key={message.id}>
          {message.attachments
            .filter((file) => file.id !== undefined && !isShown(file))
            .map((file, at) => (
              <StoredFile key={at} message={message} attachment={file} />
            ))}
          <Origin message={message} />
        </li>
      ))}
    </ul>
  );
}
