import type { Note } from '../../composer/composing/composing.ts';
import { t } from '../../words/t.ts';

/** Copies a text; resolves to what the app says about it. */
export async function copyText(text: string): Promise<Note> {
  try {
    await navigator.clipboard.writeText(text);
    return { text: t('Copied.'), isError: false };
  } catch {
    // The browser denied it, or the page is not served over https.
    return { text: t('Your browser doesn’t allow copying here. Select the text and copy it yourself.'), isError: true };
  }
}
