import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import styles from './composer.module.css';

interface TextAreaProps {
  ref: Ref<HTMLTextAreaElement>;
  text: string;
  label: string;
  onText: (text: string, caret: number) => void;
  onCaret: (caret: number) => void;
  /** Returns whether it handled the key. */
  onPress: (event: KeyboardEvent) => boolean;
  onFiles: (files: readonly File[]) => void;
  /** Returns whether a pasted text became a file. */
  onLongText: (text: string) => boolean;
  /** The id of the list of suggestions. */
  listId: string | undefined;
  activeId: string | undefined;
}

const sizesItself = CSS.supports('field-sizing', 'content');

/** A text field that grows with its text, up to a part of the window's height. */
export function TextArea({ ref, text, label, onText, onCaret, onPress, listId, activeId, ...on }: TextAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  // The ref is set whenever the parent reads it.
  useImperativeHandle(ref, () => area.current as HTMLTextAreaElement, []);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || sizesItself) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);
  return (
    <textarea
      ref={area}
      className={styles['text']}
      value={text}
      rows={1}
      dir="auto"
      placeholder={label}
      aria-label={label}
      aria-autocomplete="list"
      aria-controls={listId}
      aria-activedescendant={activeId}
      autoCapitalize="sentences"
      enterKeyHint="enter"
      onChange={({ currentTarget }) => onText(currentTarget.value, currentTarget.selectionStart)}
      onSelect={({ currentTarget }) => onCaret(currentTarget.selectionStart)}
      onKeyDown={(event) => {
        if (onPress(event.nativeEvent)) event.preventDefault();
      }}
      onPaste={(event) => {
        const { files } = event.clipboardData;
        const pasted = event.clipboardData.getData('text/plain');
        if (pasted !== '') {
          // Copied tables come with a picture too: paste their text.
          if (on.onLongText(pasted)) event.preventDefault();
        } else if (files.length > 0) {
          event.preventDefault();
          on.onFiles([...files]);
        }
      }}
    />
  );
}
