import { ArrowUp, Check, Paperclip, Smile, Square } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import styles from './composer.module.css';

const EmojiPicker = lazy(async () => import('../emoji/emoji-picker.tsx'));

interface ComposerButtonsProps {
  isEditing: boolean;
  maySend: boolean;
  /** Replies that are being written here, while there is nothing to send. */
  streaming: number;
  onFiles: (files: readonly File[]) => void;
  onEmoji: (emoji: string) => void;
  onSend: () => void;
  onStop: () => void;
  /** The text field, between them. */
  children: ReactNode;
}

/** Files before the text; emoji and Send behind it. */
export function ComposerButtons({ isEditing, maySend, streaming, children, ...on }: ComposerButtonsProps) {
  const files = useRef<HTMLInputElement>(null);
  const emoji = useRef<HTMLButtonElement>(null);
  const [isPicking, setIsPicking] = useState(false);
  return (
    <>
      {isEditing ? null : (
        <>
          <IconButton label="Attach files" icon={<Paperclip />} onClick={() => files.current?.click()} />
          <input
            ref={files}
            type="file"
            multiple
            hidden
            onChange={({ currentTarget }) => {
              on.onFiles([...(currentTarget.files ?? [])]);
              // The same file may be chosen again.
              currentTarget.value = '';
            }}
          />
        </>
      )}
      {children}
      <span className={styles['emoji']}>
        <IconButton
          ref={emoji}
          label="Emoji"
          icon={<Smile />}
          aria-haspopup="dialog"
          aria-expanded={isPicking}
          onClick={() => setIsPicking(!isPicking)}
        />
      </span>
      {streaming > 0 ? (
        <IconButton
          className={styles['stop']}
          label={streaming === 1 ? 'Stop the reply' : `Stop ${streaming} replies`}
          icon={<Square />}
          onClick={on.onStop}
        />
      ) : (
        <IconButton
          className={styles['send']}
          label={isEditing ? 'Save' : 'Send'}
          icon={isEditing ? <Check /> : <ArrowUp />}
          disabled={!maySend}
          // The keyboard of a phone stays.
          onPointerDown={(event) => event.preventDefault()}
          onClick={on.onSend}
        />
      )}
      <Suspense fallback={null}>
        {isPicking ? <EmojiPicker anchor={emoji} onChoose={on.onEmoji} onClose={() => setIsPicking(false)} /> : null}
      </Suspense>
    </>
  );
}
