import { Play } from 'lucide-react';
import type { Attachment } from '../../files/attachment.ts';
import { useFileAddress } from '../../files/use-file-address.ts';
import { isShown } from '../../files/viewer/gallery.ts';
import { type ViewedMessage, useOpenFile } from '../../files/open-file.ts';
import { t } from '../../words/t.ts';
import { monthOf } from '../../words/times.ts';
import type { MediaListProps } from './chat-media.tsx';
import styles from './chat-media.module.css';

/** Photos and videos as square tiles, by month. */
export function MediaGrid({ messages }: MediaListProps) {
  const months = Map.groupBy(messages, ({ created_at }) => monthOf(created_at));
  return [...months].map(([month, held]) => (
    <section key={month} className={styles['month']} aria-label={month}>
      <h3>{month}</h3>
      <ul className={styles['tiles']}>
        {held.flatMap((message) =>
          message.attachments
            .filter(isShown)
            .map((file, at) => <Tile key={`${message.id} ${at}`} message={message} file={file} />),
        )}
      </ul>
    </section>
  ));
}

function Tile({ message, file: attachment }: { message: ViewedMessage; file: Attachment }) {
  const { file, onFail } = useFileAddress(message.id, attachment);
  const open = useOpenFile();
  const name = file.name ?? (file.kind === 'photo' ? t('Photo') : t('Video'));
  return (
    <li>
      <button
        type="button"
        className={styles['tile']}
        aria-label={t('Show {name}', { name })}
        title={name}
        onClick={() => open(message, file)}
      >
        {file.kind === 'photo' ? (
          <img src={file.thumbnail_url ?? file.url} alt="" loading="lazy" decoding="async" onError={onFail} />
        ) : (
          <>
            <Play aria-hidden />
            <span className={styles['film']}>{name}</span>
          </>
        )}
      </button>
    </li>
  );
}
