// Presses of buttons and submissions of forms: which ones a message offers, and how its agent confirms them. The
// submitted values are the presser's words, so the agent's confirmation never contains them.

import { actionIn, tagsOf } from '@parley/markdown';
import type { ComponentAction as MessageAct } from '@parley/protocol';

export interface ComponentAction {
  /** The token of the button, or `form_submit:` and the form's id. */
  action: string;
  by: { username: string; displayName: string };
}

export type ActionAnswer = { kind: 'silent' } | { kind: 'reply'; text: string };

const SHOWN_FIELDS = 12;
const SHOWN_NAME = 40;
const SHOWN_VALUE = 120;

/**
 * The actions that a message offers: the `action` of each tag that has one, and `form_submit:` with the `id` of each tag
 * that has one, whatever the tags are called: ours are `button` and `form` (ACTION-10).
 */
export function* offeredActions(content: string): Generator<string> {
  for (const { attributes } of tagsOf(content)) {
    const action = actionIn(attributes, 'action');
    if (action !== '') yield action;
    const id = actionIn(attributes, 'id');
    if (id !== '') yield FORM_SUBMIT + id;
  }
}

const FORM_SUBMIT = 'form_submit:';

const silent: ActionAnswer = { kind: 'silent' };

type Answer = (parts: readonly string[], by: string) => string;

/**
 * The interface's table of tokens, row by row; `parts` are the groups of the pattern. A part is any text without a colon,
 * such as `M&M.NS`, `1,000` or `all`; the last one may hold colons.
 */
const table: readonly (readonly [pattern: RegExp, answer: Answer])[] = [
  [
    /^trade:(buy|sell):([^:]+):(.+)$/su,
    ([side, name, quantity], by) =>
      card({ title: side === 'buy' ? 'Buy order placed' : 'Sell order placed', body: `${quantity} ${name}`, by }),
  ],
  [
    /^alert:([^:]+):(gt|lt):(.+)$/su,
    ([name, side, value], by) =>
      card({ title: 'Alert set', body: `${name} ${side === 'gt' ? 'above' : 'below'} ${value}`, by }),
  ],
  [/^modify:limit$/u, () => 'Send the limit price as a message, for example 182.50.'],
  [/^form_submit:(.+)$/su, ([form = ''], by) => card({ title: 'Form submitted', form: cut(form, SHOWN_VALUE), by })],
];

export function answerToAction({ action, by }: ComponentAction): ActionAnswer {
  if (/^(?:cancel|dismiss):/u.test(action)) return silent;
  const text = confirmation(action, by.username);
  return { kind: 'reply', text: `${spokenName(by.displayName)}: ${text}` };
}

function confirmation(action: string, by: string): string {
  for (const [pattern, answer] of table) {
    const match = pattern.exec(action);
    if (match) return answer(match.slice(1), by);
  }
  return 'Got it.';
}

/** One tag, `{% card name="value" … /%}`, and nothing else. */
function card(attributes: Readonly<Record<string, string>>): string {
  const text = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${attributeValue(value)}"`)
    .join('');
  return `{% card${text} /%}`;
}

/** Escapes a display name for a Markdown text, so that it contains no mark, tag, mention or link. */
export const spokenName = (displayName: string): string =>
  cut(oneLine(displayName), SHOWN_NAME)
    .replaceAll(/[\\`*[\]<>{}~@#|!&/]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<=www)\./giu, String.raw`\$&`)
    .replace(/^(\d*)([-+=.)])/, String.raw`$1\$2`);

/** Joins the lines and removes the characters that change the direction of text. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/**
 * Text as the value of an attribute: on one line, quotes and backslashes escaped. Braces and backticks are replaced,
 * because not every parser of messages knows that quotes protect them.
 */
const attributeValue = (text: string): string =>
  oneLine(text)
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .replaceAll('`', "'")
    .replaceAll(/["\\]/g, String.raw`\$&`);

/**
 * A press or a submission, as a model reads it (CONTEXT-11). Action, names and values are JSON strings on one line:
 * none of them can close its quotes, or begin a line that looks like another participant's message.
 */
export function actText({ action, fields = {} }: MessageAct): string {
  const values = Object.entries(fields).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`);
  const form = action.startsWith(FORM_SUBMIT) ? action.slice(FORM_SUBMIT.length) : undefined;
  const what = form === undefined ? `pressed the button ${quoted(action)}` : `submitted the form ${quoted(form)}`;
  return values.length === 0 ? `[${what}]` : `[${what}: ${values.join(', ')}]`;
}

const quoted = (text: string): string => JSON.stringify(oneLine(text));

/** The submitted values as people read them: limited in number and length, secret-looking ones masked. */
export function shownFields(fields: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const filled = Object.entries(fields)
    .map(([name, value]): [string, string] => [
      cut(oneLine(name), SHOWN_NAME),
      isSecretName(name) ? '••••' : shown(value),
    ])
    .filter(([name, value]) => name !== '' && value !== '');
  const kept = Object.fromEntries(filled.slice(0, SHOWN_FIELDS));
  return filled.length > SHOWN_FIELDS ? { ...kept, '…': `${filled.length - SHOWN_FIELDS} more` } : kept;
}

/** Whether the name of a field contains a word for a secret (ACTION-4). */
function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return SECRET.test(` ${words.join(' ')} `);
}

/** Matches whole words only (not `passenger` or `compass`), and `key` only with a word such as `api` before it. */
const SECRET =
  / (?:pass|passwords?|passwd|pwd|passphrases?|passcodes?|passkeys?|secrets?|tokens?|api ?keys?|(?:access|private|secret) ?keys?|pins?|pin ?(?:code|number)|cvv2?|cvc2?|otp) /;

/** A plain value or a list of them as text; other values are left out. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return cut(oneLine(value.slice(0, SHOWN_FIELDS).filter(isPlain).join(', ')), SHOWN_VALUE);
  return isPlain(value) ? cut(oneLine(String(value)), SHOWN_VALUE) : '';
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Cuts to at most `length` UTF-16 units; no surrogate pair is split. */
function cut(text: string, length: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= length) return trimmed;
  return `${trimmed.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
