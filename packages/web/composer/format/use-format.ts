import { isComposing, type PressedKey } from '@parley/react';
import { type RefObject, useState } from 'react';
import { storage } from '../../browser/storage.ts';
import { type Edit, pasted, type Written } from './edit.ts';
import { type Format, formatOfKey } from './formats.ts';

const IS_OPEN = 'parley.formatting';
/** Maximum length of pasted HTML that is read; of longer HTML the plain text is pasted. */
const MAX_HTML = 1024 * 1024;
/** Most pasted HTML holds only plain words, and needs no reader. */
const RICH =
  /<(?:a|b|strong|i|em|s|del|strike|code|kbd|samp|tt|pre|ul|ol|blockquote|h[1-6]|table|hr|cite)[\s>/]|role="?heading|font-(?:weight|style)|line-through|mso-list/i;

interface FormatInput {
  area: RefObject<HTMLTextAreaElement | null>;
  edit: (make: (written: Written) => Edit) => void;
  /** Returns whether it took a pasted text. */
  onPastedText: (text: string) => boolean;
  onError: (error: unknown) => void;
}

export interface Formatting {
  /** The bar is open; the browser remembers it. */
  readonly isOpen: boolean;
  readonly toggleBar: () => void;
  readonly format: (format: Format) => void;
  /** Returns whether it handled a key. */
  readonly press: (event: KeyboardEvent & PressedKey) => boolean;
  /** Pastes rich text as Markdown. Returns whether it took it. */
  readonly paste: (html: string, text: string) => boolean;
}

/** Formats the text of a field. */
export function useFormat({ area, edit, onPastedText, onError }: FormatInput): Formatting {
  const [isOpen, setIsOpen] = useState(() => storage.getItem(IS_OPEN) !== null);

  function format(wanted: Format) {
    import('./toggled.ts').then(({ toggled }) => edit((written) => toggled(written, wanted)), onError);
  }

  function insert(text: string) {
    if (!onPastedText(text)) edit((written) => pasted(text, written));
  }

  return {
    isOpen,
    toggleBar() {
      if (isOpen) storage.removeItem(IS_OPEN);
      else storage.setItem(IS_OPEN, '1');
      setIsOpen(!isOpen);
    },
    format,
    press(event) {
      const { selectionStart, selectionEnd } = area.current ?? {};
      const wanted = isComposing(event) ? null : formatOfKey(event, selectionStart !== selectionEnd);
      if (wanted !== null) format(wanted);
      return wanted !== null;
    },
    paste(html, text) {
      if (html.length > MAX_HTML || !RICH.test(html)) return false;
      // If its script cannot be loaded, the plain text is there.
      import('./markdown-of.ts').then(
        ({ markdownOf, pastedMarkdown }) => {
          const markdown = markdownOf(html);
          if (markdown === null) insert(text);
          else if (!onPastedText(markdown)) edit((written) => pastedMarkdown(markdown, written));
        },
        () => insert(text),
      );
      return true;
    },
  };
}
