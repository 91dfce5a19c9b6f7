import type { StoredMessage } from '@parley/client/store';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import { useStore } from '../provider.ts';
import { useStoreCell } from '../use-store-cell.ts';

const english = {
  edited: 'edited',
  thinking: 'is thinking …',
  stopped: 'Stopped.',
  failed: 'This reply failed.',
  notSent: 'Not sent.',
  retry: 'Send again',
  discard: 'Discard',
};
export type MessageLabels = typeof english;

export interface MessageProps {
  message: StoredMessage;
  /** How its text is shown; by default as it was written, without Markdown. */
  renderText?: (message: StoredMessage) => ReactNode;
  labels?: Partial<MessageLabels>;
}

const ownText: CSSProperties = { overflowWrap: 'anywhere' };
/** Keeps the line ends of the text. What `renderText` returns has them between its elements, where they mean nothing. */
const plainText: CSSProperties = { ...ownText, whiteSpace: 'pre-wrap' };

/** A message: its sender, time, text and files, and what became of it. */
export function Message({ message, renderText, labels: given }: MessageProps): ReactElement {
  const { client } = useStore();
  const me = useStoreCell((store) => store.me);
  const labels = { ...english, ...given };
  const { sender, content, status, outbox, attachments, edited_at: editedAt, service } = message;
  if (service) return <p className="parley-notice">{content}</p>;
  const isOwn = sender.username === me?.username;
  const note = noteOf(message, labels);
  return (
    <div className="parley-message" data-own={isOwn || undefined} data-status={outbox?.state ?? status}>
      <p className="parley-message-head">
        <b>{sender.display_name}</b> <time dateTime={message.created_at}>{timeOf(message.created_at)}</time>
        {editedAt && <span> {labels.edited}</span>}
      </p>
      <div className="parley-message-text" style={renderText ? ownText : plainText} dir="auto">
        {renderText ? renderText(message) : content}
      </div>
      {attachments.map(({ url, name }, at) => (
        <a key={at} href={addressOf(url, client.url)} target="_blank" rel="noopener noreferrer nofollow">
          {name ?? url}
        </a>
      ))}
      {note && <p className="parley-message-note">{note}</p>}
      {outbox?.state === 'failed' && (
        <p className="parley-message-note" role="alert">
          {labels.notSent}{' '}
          <button type="button" onClick={() => client.outbox.retry(outbox.client_msg_id)}>
            {labels.retry}
          </button>{' '}
          <button type="button" onClick={() => client.outbox.discard(outbox.client_msg_id)}>
            {labels.discard}
          </button>
        </p>
      )}
    </div>
  );
}

/** The address of a file, which its sender has written; undefined unless it is a page or a file of the web. */
function addressOf(url: string | undefined, base: string): string | undefined {
  if (url === undefined || !URL.canParse(url, base)) return undefined;
  const { protocol, href } = new URL(url, base);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

function noteOf({ status, content }: StoredMessage, labels: MessageLabels): string | null {
  if (status === 'streaming') return content.trim() === '' ? labels.thinking : null;
  if (status === 'cancelled') return labels.stopped;
  return status === 'failed' ? labels.failed : null;
}

const timeOf = (at: string): string => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
