import { fileAddress, hostOf, linkAddress } from '@parley/markdown';
import { Download, File, FileArchive, FileAudio, FileImage, FileText, FileVideo } from 'lucide-react';
import type { Attachment } from './attachment.ts';
import styles from './attachments.module.css';
import { fileSize } from '../words/file-size.ts';
import { useDownload } from './use-download.ts';
import { useFileAddress } from './use-file-address.ts';
import { t } from '../words/t.ts';

const icons = [
  [/^image\//, FileImage],
  [/^audio\//, FileAudio],
  [/^video\//, FileVideo],
  [/zip|tar|compress/, FileArchive],
  [/^text\/|pdf|document|json/, FileText],
] as const;

/** A file's name and size, with a link to download it. */
export function FileRow({ messageId, attachment }: { messageId: string; attachment: Attachment }) {
  const { file, refresh } = useFileAddress(messageId, attachment);
  const { name, title, mime_type: type = '', size, id } = attachment;
  const Icon = icons.find(([pattern]) => pattern.test(type))?.[1] ?? File;
  const label = name ?? title ?? t('File');
  const { download, isFailed } = useDownload(refresh, label);
  // Files stored by the service have an id; others are links to other hosts.
  const href = (id === undefined ? linkAddress : fileAddress)(file.url ?? '');
  const facts = [size === undefined ? '' : fileSize(size), id === undefined && href ? hostOf(href) : ''].filter(
    (text) => text !== '',
  );
  const body = (
    <>
      <Icon className={styles['icon']} />
      <span className={styles['name']}>
        <span>{label}</span>
        <small>{isFailed ? t('Not available right now. Try again.') : facts.join(' · ')}</small>
      </span>
    </>
  );
  if (href === undefined) return <div className={styles['file']}>{body}</div>;

  return (
    <a
      className={styles['file']}
      href={href}
      download={label}
      target="_blank"
      rel="noopener noreferrer nofollow"
      onClick={(event) => {
        if (id === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        void download();
      }}
    >
      {body}
      <Download className={styles['download']} aria-label={t('Download')} />
    </a>
  );
}
