import { FileText, RotateCw, TextCursorInput, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { IconButton } from '../../ui/button.tsx';
import { fileSize } from '../../words/file-size.ts';
import type { Uploads } from './use-uploads.ts';
import type { Upload } from './uploads.ts';
import styles from './upload-list.module.css';
import { locale } from '../../words/language.ts';
import { t } from '../../words/t.ts';

const percent = new Intl.NumberFormat(locale, { style: 'percent' });

interface UploadListProps {
  uploads: Uploads;
  /** Puts the text of a pasted file into the message instead. */
  onPasteAsText: (upload: Upload) => void;
}

/** The files attached to the message, each with its progress and a remove button. */
export default function UploadList({ uploads, onPasteAsText }: UploadListProps) {
  return (
    <ul className={styles['list']} aria-label={t('Files')}>
      {uploads.all.map((upload) => (
        <UploadItem key={upload.key} upload={upload} uploads={uploads} onPasteAsText={onPasteAsText} />
      ))}
    </ul>
  );
}

function UploadItem({ upload, uploads, onPasteAsText }: UploadListProps & { upload: Upload }) {
  const { key, file, state, progress, error, mayRetry, isPasted } = upload;
  const isUnderWay = state === 'waiting' || state === 'sending';
  const item = useRef<HTMLLIElement>(null);
  // Scroll new and failed uploads into view.
  const isFailed = state === 'failed';
  useEffect(() => {
    item.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isFailed]);
  const notes = {
    waiting: t('Waiting …'),
    sending: percent.format(progress),
    done: fileSize(file.size),
    failed: error,
  };
  return (
    <li ref={item} className={classNames(styles['item'], state === 'failed' && styles['failed'])} data-upload={state}>
      <Picture file={file} />
      <span className="ui-lines">
        <span className={styles['name']} title={file.name}>
          {file.name}
        </span>
        <span className={styles['note']} role={state === 'failed' ? 'alert' : undefined}>
          {notes[state]}
        </span>
      </span>
      {isPasted ? (
        <IconButton
          size="small"
          label={t('Paste as text')}
          icon={<TextCursorInput />}
          onClick={() => onPasteAsText(upload)}
        />
      ) : null}
      {state === 'failed' && mayRetry ? (
        <IconButton
          size="small"
          label={t('Try {name} again', { name: file.name })}
          icon={<RotateCw />}
          onClick={() => uploads.retry(upload)}
        />
      ) : null}
      <IconButton
        size="small"
        label={isUnderWay ? t('Cancel {name}', { name: file.name }) : t('Remove {name}', { name: file.name })}
        icon={<X />}
        onClick={() => uploads.remove(key)}
      />
      {isUnderWay ? (
        <progress
          className={styles['progress']}
          value={progress}
          max={1}
          aria-label={t('Uploading {name}', { name: file.name })}
        />
      ) : null}
    </li>
  );
}

function Picture({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!/^image\/(png|jpeg|webp|gif|avif)$/.test(file.type)) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (url === null) return <FileText className={styles['icon']} />;
  return <img className={styles['picture']} src={url} alt="" />;
}
