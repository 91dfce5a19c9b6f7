/** The kind of a frame, determined from its first bytes. */
type FrameKind = 'ack' | 'refusal' | 'message' | 'delta' | 'hello' | 'event' | 'unknown';

/** Bytes of a payload that `frameKind` reads. */
export const kindPeekBytes = 40;

const code = (character: string): number => character.charCodeAt(0);
const [brace, quote, comma, colon] = [code('{'), code('"'), code(','), code(':')];
const [i, o, m, h, t] = [code('i'), code('o'), code('m'), code('h'), code('t')];
const [upperD, upperN, upperP] = [code('D'), code('N'), code('P')];

/**
 * Replies begin with `{"id":…,"ok":` or `{"ok":`, events with `{"method":"events.`. The 1st, 8th and 11th letters of an
 * event's name suffice: messageNew, messageDelta (not messageDeleted, not messageDraftPatch), messagePart (not
 * messagePinned), hello. A part counts as a delta.
 */
export function frameKind(buffer: Buffer, at: number, payloadBytes: number): FrameKind {
  if (payloadBytes < 2 || buffer[at] !== brace || buffer[at + 1] !== quote) return 'unknown';
  const first = buffer[at + 2];
  if (first === m) {
    const name = at + 18;
    if (buffer[name] === h) return 'hello';
    if (buffer[name] !== m) return 'event';
    if (buffer[name + 7] === upperN) return 'message';
    const isGrowth = buffer[name + 7] === upperD || buffer[name + 7] === upperP;
    return isGrowth && buffer[name + 10] === t ? 'delta' : 'event';
  }
  if (first === o) return buffer[at + 6] === t ? 'ack' : 'refusal';
  if (first !== i) return 'unknown';
  let end = at + 6;
  while (buffer[end] !== comma && end < at + payloadBytes && end < at + kindPeekBytes) end++;
  // In `,"ok":true` the t is six bytes after the comma.
  return buffer[end + 5] === colon && buffer[end + 6] === t ? 'ack' : 'refusal';
}
