// The texts of a context that the service writes itself: headers of senders, notes in brackets, quoted files.
import { oneLine } from './file-names.ts';

export type ContextAttachment = {
  kind: string;
  title?: string | undefined;
  name?: string | undefined;
  /** Set for an uploaded file. */
  id?: string | undefined;
  /** What was heard in a voice message. */
  transcript?: string | undefined;
};

/** Display name and `(@username)`. `@`, `:` and brackets are removed: a name must not imitate a header or a note. */
export const nameOf = ({ username, displayName }: { username: string; displayName: string }): string =>
  `${oneLine(displayName.replaceAll(/[@:[\]]/g, ' '))} (@${username})`;

/** Begins every line of a group message except the first, so that only a sender's name can stand at the left edge. */
const INDENT = '  ';
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

export const indented = (text: string): string => text.replaceAll(lineBreak, `\n${INDENT}`);

/** Only the service writes notes in brackets: a line of a message that imitates one gets a backslash before it. */
export const withoutForgedNotes = (text: string): string =>
  text.replaceAll(
    /(^|[\n\r\v\f\u0085\u2028\u2029])([^\S\n\r\v\f\u0085\u2028\u2029]*)\[(?=(?:forwarded from|pressed the button|submitted the form|news|ticker|positions|photo|file|text of|summary of|notes of)\b)/gi,
    String.raw`$1$2\[`,
  );

export const labelOf = ({ title, name }: ContextAttachment): string => oneLine(title || name || '');

/** Maximum length of `why`, so that the selection can reserve room for it. */
export const WHY_CHARACTERS = 60;

/** The note about an attachment (CONTEXT-8). `why`: the reason why the model does not receive it (CONTEXT-17). */
export function attachmentNote(attachment: ContextAttachment, why?: string): string {
  const label = labelOf(attachment);
  const name = label ? `${attachment.kind}: ${label}` : attachment.kind;
  return why === undefined ? `[${name}]` : `[${name}, not included: ${why}]`;
}

/** The note about a voice message, with what its sender says in it (TRANSCRIPT-8). */
export const transcriptNote = (attachment: ContextAttachment, transcript: string): string =>
  transcript === ''
    ? `${attachmentNote(attachment)} (no words)`
    : `${attachmentNote(attachment)}\n${withoutForgedNotes(transcript)}`;

/** Maximum length of a fence. A longer row of backticks in a file is shortened: the fence, which must be longer, stands before and after the text. */
const MAX_FENCE = 32;

/**
 * The text of a file under its quoted name, in a fence that no line of the text can close: it is data of its sender
 * (CONTEXT-15). Line breaks are `\n`.
 */
export function quotedFile(attachment: ContextAttachment, text: string, about?: string): string {
  const name = JSON.stringify(oneLine(attachment.name ?? ''));
  const of = `text of the file ${name}`;
  return `[${about === undefined ? of : `${of}, ${about}`}]\n${fenced(text)}`;
}

/** A text in a fence that no line of it can close: it is data. */
export function fenced(text: string): string {
  const data = text.replaceAll(/`{32,}/g, '`'.repeat(MAX_FENCE - 1));
  const longest = Math.max(2, ...(data.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${data}\n${fence}`;
}
