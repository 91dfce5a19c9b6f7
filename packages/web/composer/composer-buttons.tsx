import { ArrowUp, Check, Paperclip, Smile, Square } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import styles from './composer.module.css';

const EmojiPicker = lazy(async () => import('../emoji/emoji-picker.tsx'));

interface ComposerButtonsProps {
  isEditing: boolean;
  maySend: boolean;
  /** Number of streaming replies to stop; 0 while there is a text to send. */
  streaming: number;
  onFiles: (files: readonly File[]) => void;
  onEmoji: (emoji: string) => void;
  onSend: () => void;
  onStop: () => void;
  /** The text field between the buttons. */
  children: ReactNode;
}

/** The buttons around the text: files before it, emoji and Send after it. */
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
              // Reset, so that the same file can be chosen again.
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
