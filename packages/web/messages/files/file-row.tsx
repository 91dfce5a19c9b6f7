import type { StoredMessage } from '@parley/client/store';
import { fileAddress, hostOf, linkAddress } from '@parley/markdown';
import { Download, File, FileArchive, FileAudio, FileImage, FileText, FileVideo } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import type { Attachment } from './attachment.ts';
import styles from './attachments.module.css';
import { fileSize } from '../../words/file-size.ts';
import { useFileAddress } from './use-file-address.ts';

const icons = [
  [/^image\//, FileImage],
  [/^audio\//, FileAudio],
  [/^video\//, FileVideo],
  [/zip|tar|compress/, FileArchive],
  [/^text\/|pdf|document|json/, FileText],
] as const;

/** A file's name and size, with a link to download it. */
export function FileRow({ message, attachment }: { message: StoredMessage; attachment: Attachment }) {
  const { file, refresh } = useFileAddress(message, attachment);
  const [isFailed, setIsFailed] = useState(false);
  const { name, title, mime_type: type = '', size, id } = attachment;
  const Icon = icons.find(([pattern]) => pattern.test(type))?.[1] ?? File;
  const label = name ?? title ?? 'File';
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
        <small>{isFailed ? 'Not available right now. Try again.' : facts.join(' · ')}</small>
      </span>
    </>
  );
  if (href === undefined) return <div className={styles['file']}>{body}</div>;

  async function download(event: MouseEvent<HTMLAnchorElement>) {
    if (id === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const url = fileAddress((await refresh()).url ?? '');
      setIsFailed(url === undefined);
      if (url !== undefined) save(url, label);
    } catch {
      setIsFailed(true);
    }
  }
  return (
    <a
      className={styles['file']}
      href={href}
      download={label}
      target="_blank"
      rel="noopener noreferrer nofollow"
      onClick={(event) => void download(event)}
    >
      {body}
      <Download className={styles['download']} aria-label="Download" />
    </a>
  );
}

function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.rel = 'noopener noreferrer';
  link.click();
}
