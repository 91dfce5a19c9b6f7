// Files, photos, videos, sounds and documents of messages. May import: browser to markdown (see main.tsx). Within, sound/
// and documents/ import none of the other folders, viewer/ imports documents/, and this folder all.
import type { StoredMessage } from '@parley/client/store';
import type { Attributes, Value } from '@parley/markdown';
import { lazy, Suspense } from 'react';
import { isRecord } from '../markdown/tags/tag-values.ts';
import type { Attachment } from './attachment.ts';
import styles from './attachments.module.css';
import { PhotoGrid } from './photo-grid.tsx';
import { StoredFile } from './stored-file.tsx';
import { Transcript } from './transcript.tsx';

const DataView = lazy(async () => import('../markdown/tags/data-view.tsx'));

/** A message's attachments. */
export function Attachments({ message }: { message: StoredMessage }) {
  const { attachments } = message;
  if (attachments.length === 0) return null;
  const photos = attachments.filter(({ kind, url }) => kind === 'photo' && url !== undefined);
  const others = attachments.filter((attachment) => !photos.includes(attachment));
  return (
    <div className={styles['attachments']}>
      {photos.length > 0 ? <PhotoGrid message={message} photos={photos} /> : null}
      {others.map((attachment, at) => (
        // Attachments never change their order, so the index is a stable key.
        <Other key={at} message={message} attachment={attachment} />
      ))}
    </div>
  );
}

function Other({ message, attachment }: { message: StoredMessage; attachment: Attachment }) {
  switch (attachment.kind) {
    case 'ticker':
    case 'news':
    case 'positions':
      return (
        <Suspense fallback={null}>
          <DataView kind={attachment.kind} data={dataOf(attachment)} />
        </Suspense>
      );
    default:
      return (
        <>
          <StoredFile message={message} attachment={attachment} />
          {attachment.transcript === undefined ? null : <Transcript text={attachment.transcript} />}
        </>
      );
  }
}

/** The data of a structured attachment as attributes; the attachment's title, name and url are defaults. */
function dataOf({ data, title, name, url }: Attachment): Attributes {
  const given = data as Value | undefined; // any JSON
  const fields: Attributes = isRecord(given)
    ? given
    : Array.isArray(given)
      ? { items: given }
      : given === undefined
        ? {}
        : { value: given };
  const own = {
    ...(title !== undefined && { title }),
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
  };
  return { ...own, ...fields };
}
