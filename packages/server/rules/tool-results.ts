import { isObject, textIn } from './json-values.ts';

/** Maximum bytes of a result that reach the model (TOOL-17). */
export const RESULT_BYTES = 64 * 1024;

/**
 * What a model is told of a tool's result: its texts, a note for each image, sound or file, and its data if it has no
 * text; at most `RESULT_BYTES` of UTF-8.
 */
export function textOfResult(content: readonly unknown[], data: unknown): string {
  const texts = content.map(textOfBlock).filter((text) => text !== '');
  if (texts.length === 0 && data !== undefined) texts.push(JSON.stringify(data));
  return cutToBytes(texts.join('\n\n'), RESULT_BYTES);
}

function textOfBlock(block: unknown): string {
  if (!isObject(block)) return '';
  const { type, text, resource } = block;
  if (type === 'text') return wordOf(text);
  if (type === 'image' || type === 'audio') return `[${type}${kindOf(block)}, ${sizeOf(block['data'])}: not shown]`;
  if (type === 'resource_link') return `[link to ${lineOf(block['name'] ?? block['title'])}: ${lineOf(block['uri'])}]`;
  if (type !== 'resource' || !isObject(resource)) return `[${lineOf(type)}: not shown]`;
  if (typeof resource['text'] === 'string') return wordOf(resource['text']);
  return `[file ${lineOf(resource['uri'])}${kindOf(resource)}, ${sizeOf(resource['blob'])}: not shown]`;
}

const wordOf = (value: unknown): string => textIn(value).toWellFormed().replaceAll('\0', '');
const lineOf = (value: unknown): string => wordOf(value).slice(0, 500).replaceAll(/\s+/g, ' ');
const kindOf = ({ mimeType }: Readonly<Record<string, unknown>>): string =>
  typeof mimeType === 'string' ? ` (${lineOf(mimeType).slice(0, 100)})` : '';
/** Of base64. */
const sizeOf = (value: unknown): string => `${Math.ceil(textIn(value).length * 0.75)} bytes`;

const NOTE = '\n[The rest was left out: the result is too long.]';

/** The beginning of a text in at most `maxBytes` of UTF-8, with a note if something is missing. */
export function cutToBytes(text: string, maxBytes: number): string {
  const encoder = new TextEncoder();
  const clean = wordOf(text);
  const { read, written } = encoder.encodeInto(clean, new Uint8Array(maxBytes));
  if (read === clean.length && written <= maxBytes) return clean;
  const kept = encoder.encodeInto(clean, new Uint8Array(maxBytes - NOTE.length)).read;
  return clean.slice(0, kept) + NOTE;
}
