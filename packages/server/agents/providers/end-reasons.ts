import { textIn, isObject } from '../../rules/json-values.ts';
import type { EndReason, ProviderErrorKind } from './provider.ts';

/** What a vendor's reason for the end of a reply comes to: a good end, one with a note, or a failure. */
type VendorEnd = { end: EndReason } | { fails: Extract<ProviderErrorKind, 'interrupted' | 'overloaded'> };

/** Values that servers send in place of no reason. */
const noReason = /^(?:|null|none|nil|undefined|false|not_finished|unfinished|in_progress|finish_reason_unspecified)$/;

/**
 * Reasons as vendors and local servers name them, in lower case with `_` (PROVIDER-23). The first row that matches counts.
 * What no row matches ends the reply as `other`, with a note.
 */
const rows: readonly (readonly [pattern: RegExp, end: VendorEnd])[] = [
  [
    /^(?:finish_reason_)?(?:stop|stopped|end|eos|eos_token|eos_found|end_of_text|end_of_turn|end_turn|turn_end|stop_sequence|stop_token|stop_word|stop_str|stop_string|word|complete|completed|done|finish|finished|normal|success)$/,
    { end: 'stop' },
  ],
  // These two have words of failures in their names.
  [/content_?filter|content_policy|^error_toxic$/, { end: 'filtered' }],
  [/^error_limit$/, { end: 'length' }],
  [
    /abort|cancel|time_?out|time_limit|deadline|network|connection|disconnect|interrupt|preempt/,
    { fails: 'interrupted' },
  ],
  [/error|exception/, { fails: 'overloaded' }],
  [
    /filter|safety|sensitive|refus|moderat|prohibit|blocklist|block_list|blocked|guardrail|recitation|spii|toxic|policy|censor|violation|illegal|unsafe|content_risk|risk_content/,
    { end: 'filtered' },
  ],
  [/^limit$|^max_\w*token|length|token_?limit|max_output|context_window|context_limit/, { end: 'length' }],
  [
    /fail|malformed|invalid|insufficient|overload|unavailable|exhaust|resource|crash|out_of_memory|internal|capacity/,
    { fails: 'overloaded' },
  ],
  [/tool|function/, { end: 'tools' }],
  [/pause|compact/, { end: 'paused' }],
];

/** Maximum characters of a reason. */
const MAX_REASON = 200;

/** The reason in a field of an event, in lower case with `_`; undefined if it gives none. */
export function reasonIn(value: unknown): string | undefined {
  const given = isObject(value) ? (value['type'] ?? value['reason']) : value;
  const reason = textIn(given).slice(0, MAX_REASON).trim().toLowerCase().replaceAll(/[\s-]/g, '_');
  return noReason.test(reason) ? undefined : reason;
}

/** What a reason comes to. */
export const endOfReason = (reason: string): VendorEnd =>
  rows.find(([pattern]) => pattern.test(reason))?.[1] ?? { end: 'other' };
