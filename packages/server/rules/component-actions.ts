// What an agent's message answers when somebody presses a button of it, or sends a form. The tokens and the form are
// whatever a caller wrote: of them only what is checked or escaped comes into the answer.

export interface ComponentAction {
  /** The token of the button. */
  action: string;
  fields?: Readonly<Record<string, unknown>> | undefined;
  /** Username of whoever acted. */
  by: string;
}

export type ActionAnswer = { kind: 'silent' } | { kind: 'reply'; text: string };

const SHOWN_FIELDS = 12;
const SHOWN_NAME = 40;
const SHOWN_VALUE = 120;

// A ticker symbol, as BRK.B, BTC-USD, EUR/USD, ^GSPC, GC=F.
const symbol = String.raw`[\p{L}\p{N}^][\p{L}\p{N}.=/_-]{0,31}`;
const amount = String.raw`\d{1,15}(?:\.\d{1,10})?`;

const silent: ActionAnswer = { kind: 'silent' };
const reply = (text: string): ActionAnswer => ({ kind: 'reply', text });
const acknowledged = reply('Got it.');

type Answer = (parts: readonly string[], action: ComponentAction) => ActionAnswer;

/** The interface's table of tokens, row by row; `parts` are the groups of the pattern. */
const table: readonly (readonly [pattern: RegExp, answer: Answer])[] = [
  [/^(?:cancel|dismiss):/u, () => silent],
  [
    new RegExp(`^trade:(buy|sell):(${symbol}):(${amount})$`, 'u'),
    ([side, name, quantity], { by }) =>
      card({ title: side === 'buy' ? 'Buy order placed' : 'Sell order placed', body: `${quantity} ${name}`, by }),
  ],
  [
    new RegExp(`^alert:(${symbol}):(gt|lt):(-?${amount})$`, 'u'),
    ([name, side, value], { by }) =>
      card({ title: 'Alert set', body: `${name} ${side === 'gt' ? 'above' : 'below'} ${value}`, by }),
  ],
  [/^modify:limit$/u, () => reply('Send the limit price as a message, for example 182.50.')],
  [
    /^form_submit:(.+)$/su,
    ([form = ''], { fields = {}, by }) =>
      card({ title: 'Form submitted', form: cut(form, SHOWN_VALUE), body: summary(fields), by }),
  ],
];

export function answerToAction(action: ComponentAction): ActionAnswer {
  for (const [pattern, answer] of table) {
    const match = pattern.exec(action.action);
    if (match) return answer(match.slice(1), action);
  }
  return acknowledged;
}

/** One tag, `{% card name="value" … /%}`, and nothing else. Attributes without a value are left out. */
function card(attributes: Readonly<Record<string, string>>): ActionAnswer {
  const text = Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${attributeValue(value)}"`)
    .join('');
  return reply(`{% card${text} /%}`);
}

/**
 * Text as the value of an attribute: on one line, quotes and backslashes escaped. What opens or ends a tag or a code
 * span is replaced: not every reader of a message knows that quotes protect it.
 */
const attributeValue = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    // Marks that turn the direction of what follows.
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .replaceAll('`', "'")
    .replaceAll(/["\\]/g, String.raw`\$&`);

/** What was filled in, as people read it. */
function summary(fields: Readonly<Record<string, unknown>>): string {
  const filled = Object.entries(fields)
    .map(([name, value]) => [cut(name, SHOWN_NAME), SECRET.test(name) ? '••••' : shown(value)] as const)
    .filter(([, value]) => value !== '');
  const lines = filled.slice(0, SHOWN_FIELDS).map(([name, value]) => `${name}: ${value}`);
  return filled.length > SHOWN_FIELDS ? [...lines, '…'].join(' · ') : lines.join(' · ');
}

/** Names of fields whose values are nobody else's business. */
const SECRET = /pass|secret|token|api.?key|\bpin\b|cvv|cvc/i;

/** A plain value, or several; structures are not shown. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return cut(value.slice(0, SHOWN_FIELDS).filter(isPlain).join(', '), SHOWN_VALUE);
  return isPlain(value) ? cut(String(value), SHOWN_VALUE) : '';
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** At most so many UTF-16 units; no surrogate pair is split. */
function cut(text: string, length: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= length) return trimmed;
  return `${trimmed.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
