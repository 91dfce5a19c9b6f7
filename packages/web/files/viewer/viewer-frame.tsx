import { Dialog } from '@base-ui/react/dialog';
import { Download, MessageSquare, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { useBackCloses } from '../../browser/overlays.ts';
import { chatRoute } from '../../browser/route.ts';
import { IconButton } from '../../ui/button.tsx';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { fullTime } from '../../words/times.ts';
import type { Attachment } from '../attachment.ts';
import { useDownload } from '../use-download.ts';
import { useFileAddress } from '../use-file-address.ts';
import type { ViewedMessage } from '../open-file.ts';
import styles from './viewer-frame.module.css';

interface ViewerFrameProps {
  message: ViewedMessage;
  file: Attachment;
  /** Buttons before those that every file has. */
  buttons?: ReactNode;
  /** Has the focus first. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Acts on keys by name; an event with a modifier, or one of a video, is left alone. */
  keys: Readonly<Record<string, () => void>>;
  onClose: () => void;
  children: ReactNode;
}

/** A file over the whole page: its name and its message, and buttons that download it and lead to the message. */
export function ViewerFrame({ message, file, buttons, initialFocus, keys, onClose, children }: ViewerFrameProps) {
  useBackCloses(true, onClose);
  function press(event: KeyboardEvent) {
    const act = keys[event.key];
    // A video and a field have keys of their own.
    const { target } = event;
    if (
      !act ||
      target instanceof HTMLVideoElement ||
      target instanceof HTMLInputElement ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey
    )
      return;
    event.preventDefault();
    act();
  }
  const about = `${shownName(message.sender)} · ${fullTime(message.created_at)}`;
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Popup className={styles['viewer']} onKeyDown={press} initialFocus={initialFocus} data-viewer>
          <header className={styles['header']}>
            <div className="ui-lines">
              <Dialog.Title className={styles['title']} dir="auto">
                {nameOf(file)}
              </Dialog.Title>
              <Dialog.Description className={classNames(styles['when'], 'ui-note')}>{about}</Dialog.Description>
            </div>
            {buttons}
            <FileButtons key={file.id} message={message} file={file} onClose={onClose} />
            <IconButton label={t('Close')} icon={<X />} onClick={onClose} />
          </header>
          {children}
          <p className="ui-spoken" role="status">
            {`${nameOf(file)}, ${about}`}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function FileButtons({ message, file, onClose }: Pick<ViewerFrameProps, 'message' | 'file' | 'onClose'>) {
  const navigate = useNavigate();
  const { refresh } = useFileAddress(message.id, file);
  const { download, isFailed } = useDownload(refresh, nameOf(file));
  function showInChat() {
    const { id, conversation_id, channel_id, thread_root_id } = message;
    onClose();
    navigate(chatRoute(conversation_id, { channelId: channel_id, threadRootId: thread_root_id, messageId: id }));
  }
  return (
    <>
      <IconButton
        label={isFailed ? t('Not available right now. Try again.') : t('Download')}
        icon={<Download />}
        onClick={() => void download()}
      />
      <IconButton label={t('Show in chat')} icon={<MessageSquare />} onClick={showInChat} />
    </>
  );
}

function nameOf({ name, kind, mime_type: type = '' }: Attachment): string {
  if (name !== undefined) return name;
  if (kind === 'photo') return t('Photo');
  return type.startsWith('video/') ? t('Video') : t('File');
}
