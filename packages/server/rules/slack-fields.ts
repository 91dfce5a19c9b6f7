// What the readers of Slack's messages share: fields of unknown types, and texts that are put together.
import { isObject } from './json-values.ts';
import { FENCE } from './slack-mrkdwn.ts';

/** Maximum depth of blocks within blocks, and of elements within elements. */
export const MAX_DEPTH = 8;

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

export const paragraphs = (texts: readonly string[]): string => texts.filter(Boolean).join('\n\n');
export const lines = (texts: readonly string[]): string => texts.filter(Boolean).join('\n');
/** In one line, unless there is a block of code. */
export const words = (texts: readonly string[], between = ' '): string =>
  texts.some((text) => text.includes(FENCE)) ? lines(texts) : texts.filter(Boolean).join(between);
export const bold = (text: string): string => {
  const shown = text.replaceAll(/\s+/g, ' ').trim();
  return shown === '' ? '' : `**${shown}**`;
};
export const heading = (text: string): string => (text === '' ? '' : `## ${text.replaceAll(/\s+/g, ' ')}`);
