import { fileAddress, hostOf, linkAddress } from '@parley/markdown';
import { Download } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import type { Attachment } from './attachment.ts';
import styles from './attachments.module.css';
import { documentKind, documentKindName } from './document-kind.ts';
import { fileIcon } from './file-icon.ts';
import { type ViewedMessage, useOpenFile } from './open-file.ts';
import { fileSize } from '../words/file-size.ts';
import { useDownload } from './use-download.ts';
import { useFileAddress } from './use-file-address.ts';
import { t } from '../words/t.ts';

interface FileRowProps {
  message: ViewedMessage;
  attachment: Attachment;
}

/** A file's name and size: a document opens in the viewer, any other file is downloaded. */
export function FileRow({ message, attachment }: FileRowProps) {
  const { file, refresh, onFail } = useFileAddress(message.id, attachment);
  const open = useOpenFile();
  const { name, title, size, id } = attachment;
  const kind = documentKind(attachment);
  const Icon = fileIcon(attachment);
  const label = name ?? title ?? t('File');
  const { download, isFailed } = useDownload(refresh, label);
  // Files stored by the service have an id; others are links to other hosts.
  const href = (id === undefined ? linkAddress : fileAddress)(file.url ?? '');
  const facts = [
    kind === null ? '' : documentKindName(kind),
    size === undefined ? '' : fileSize(size),
    id === undefined && href ? hostOf(href) : '',
  ].filter((text) => text !== '');
  const body = (
    <>
      {file.thumbnail_url === undefined ? (
        <Icon className={styles['icon']} />
      ) : (
        <img className={styles['drawn']} src={file.thumbnail_url} alt="" loading="lazy" onError={onFail} />
      )}
      <span className="ui-lines">
        <span className="ui-line ui-medium" dir="auto">
          {label}
        </span>
        <small className="ui-line ui-note">
          {isFailed ? t('Not available right now. Try again.') : facts.join(' · ')}
        </small>
      </span>
    </>
  );
  if (href === undefined) return <div className={styles['file']}>{body}</div>;
  if (kind !== null)
    return (
      <div className={styles['file']}>
        <button type="button" className={styles['open']} onClick={() => open(message, attachment)}>
          {body}
        </button>
        <IconButton label={t('Download {name}', { name: label })} icon={<Download />} onClick={() => void download()} />
      </div>
    );

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
