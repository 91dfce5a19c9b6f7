import { type ReactElement, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';

export interface TextAreaProps {
  ref?: Ref<HTMLTextAreaElement>;
  className?: string | undefined;
  text: string;
  label: string;
  onText: (text: string, caret: number) => void;
  onCaret?: ((caret: number) => void) | undefined;
  /** Returns whether it handled the key. */
  onPress: (event: KeyboardEvent) => boolean;
  /** Called with pasted files. */
  onFiles?: ((files: readonly File[]) => void) | undefined;
  /** Called with rich text that `onPastedText` has not taken. Returns whether it took it. */
  onPastedHtml?: ((html: string, text: string) => boolean) | undefined;
  /** Returns whether it took a pasted text. */
  onPastedText?: ((text: string) => boolean) | undefined;
  /** The id of a list of suggestions, if there is one. */
  listId?: string | undefined;
  activeId?: string | undefined;
}

/** A text field that grows with its text, as far as its style lets it. */
export function TextArea({
  ref,
  className,
  text,
  label,
  onText,
  onPress,
  listId,
  activeId,
  ...on
}: TextAreaProps): ReactElement {
  const area = useRef<HTMLTextAreaElement>(null);
  // The ref is set whenever the parent reads it.
  useImperativeHandle(ref, () => area.current as HTMLTextAreaElement, []);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);
  return (
    <textarea
      ref={area}
      className={className}
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
      onSelect={({ currentTarget }) => on.onCaret?.(currentTarget.selectionStart)}
      onKeyDown={(event) => {
        if (onPress(event.nativeEvent)) event.preventDefault();
      }}
      onPaste={(event) => {
        const { files } = event.clipboardData;
        const pasted = event.clipboardData.getData('text/plain');
        if (pasted !== '') {
          // Copied tables come with a picture too: paste their text.
          const html = event.clipboardData.getData('text/html');
          if (on.onPastedText?.(pasted) || (html !== '' && on.onPastedHtml?.(html, pasted))) event.preventDefault();
        } else if (on.onFiles && files.length > 0) {
          event.preventDefault();
          on.onFiles([...files]);
        }
      }}
    />
  );
}
