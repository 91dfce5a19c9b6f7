// What a model receives of the files in its context, and how much of them a request may contain.
import { firstBytes, limits } from '@parley/protocol';
import { attachmentNote, type ContextAttachment, quotedFile } from './context-notes.ts';

export const fileLimits = {
  /** Maximum files in a request, and images among them. */
  files: limits.contextFiles,
  images: limits.contextImages,
  /** Maximum bytes of all files in a request. */
  bytes: 5 * 1024 * 1024,
  /** Maximum estimated tokens of all files in a request. */
  tokens: 100_000,
  /** The same, if the owner's key pays for another human: the claim must know what a reply may cost (KEY-12). */
  guestTokens: 15_000,
  /** Maximum UTF-16 code units of the text of one file. */
  characters: 100_000,
  /** Maximum pages of a PDF that are read; also the vendors' maximum for a document. */
  pages: 100,
} as const;

/** Vendors scale a larger image down to about this many tokens. */
const MAX_TOKENS_OF_IMAGE = 1_600;
const PIXELS_PER_TOKEN = 750;
const BYTES_PER_TOKEN = 3;

/** Tokens of the quotation marks, the name and the fence of a quoted file, at most 405 bytes. */
const TOKENS_OF_QUOTE = 135;
/** Bytes that indent a line in a group. */
const INDENT_BYTES = 2;

const bytesQuoted = (text: string): number => Buffer.byteLength(text) + INDENT_BYTES * (text.split('\n').length - 1);

/** Tokens of a quoted text. */
export const tokensOfText = (text: string): number => TOKENS_OF_QUOTE + Math.ceil(bytesQuoted(text) / BYTES_PER_TOKEN);

export const tokensOfImage = ({ width, height }: { width: number; height: number }): number =>
  Math.min(MAX_TOKENS_OF_IMAGE, Math.ceil((width * height) / PIXELS_PER_TOKEN));

/** Vendors read each page of a PDF as text and as an image. */
export const tokensOfDocument = (pages: number, text: string): number =>
  pages * MAX_TOKENS_OF_IMAGE + tokensOfText(text);

/** The beginning of a text that has at most so many bytes and, quoted, tokens. */
export function beginningOf(text: string, { bytes, tokens }: { bytes: number; tokens: number }): string {
  let room = Math.min(bytes, (tokens - TOKENS_OF_QUOTE) * BYTES_PER_TOKEN);
  if (bytesQuoted(text) <= room) return text;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (room <= 0) break;
    lines.push(firstBytes(line, room));
    room -= Buffer.byteLength(line) + 1 + INDENT_BYTES;
  }
  return lines.join('\n');
}

/** Base64 text in ASCII, as vendors take binary data. */
export type Base64 = Buffer;

/** An image or a document beside the text of a message. */
export interface MessageFile {
  type: 'image' | 'document';
  mimeType: 'image/jpeg' | 'application/pdf';
  name: string;
  data: Base64;
  /** Estimated tokens. */
  tokens: number;
  /** Text for a model that does not take the file: what a PDF says, or that the file is not included. */
  instead: string;
}

/** What became of a file of the context. */
export type FileContent =
  | { type: 'left_out'; why: string }
  | { type: 'text'; text: string; about?: string | undefined }
  | { type: 'image'; data: Base64; tokens: number }
  | { type: 'document'; data: Base64; tokens: number; text: string; about?: string | undefined };

/** Read for a request, by the attachment of the message. */
export type FileContents = ReadonlyMap<ContextAttachment, FileContent>;

export const noContents: FileContents = new Map();

/** The note about an attachment, as far as its content was read. */
export function noteOf(attachment: ContextAttachment, contents: FileContents): string {
  const content = contents.get(attachment);
  return attachmentNote(attachment, content?.type === 'left_out' ? content.why : undefined);
}

/** The quoted text of a text file. */
export const quotesOf = (attachments: readonly ContextAttachment[], contents: FileContents): string[] =>
  attachments.flatMap((attachment) => {
    const content = contents.get(attachment);
    return content?.type === 'text' ? [quotedFile(attachment, content.text, content.about)] : [];
  });

/** `inPlace` puts a text where the message's own text stands, e.g. indents its lines. */
export const filesOf = (
  attachments: readonly ContextAttachment[],
  contents: FileContents,
  inPlace: (text: string) => string,
): MessageFile[] =>
  attachments.flatMap((attachment): MessageFile[] => {
    const content = contents.get(attachment);
    const name = attachment.name ?? '';
    if (content?.type === 'image') {
      const instead = inPlace(`\n${attachmentNote(attachment, 'this model takes no images')}`);
      return [{ type: 'image', mimeType: 'image/jpeg', name, data: content.data, tokens: content.tokens, instead }];
    }
    if (content?.type !== 'document') return [];
    const { data, tokens, text, about } = content;
    const instead = inPlace(
      `\n${text === '' ? attachmentNote(attachment, 'this model takes no PDF') : quotedFile(attachment, text, about)}`,
    );
    return [{ type: 'document', mimeType: 'application/pdf', name, data, tokens, instead }];
  });
