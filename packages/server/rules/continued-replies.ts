// Replies that were cut off by a limit and go on in the same message. While a reply streams, its stored record has the
// text with which its turn began: none for a new reply, the text so far for one that is continued.
import { limits, type Part } from '@parley/protocol';

/** Bytes that a continued reply must have room for: with less it would end almost at once. */
const MIN_ROOM_BYTES = 4_096;

interface Ended {
  status: string;
  finish_reason?: string | undefined;
  content: string;
}

/** Why a reply that has ended cannot be continued; null if it can (CONTINUE-2). */
export function whyNotContinued({ status, finish_reason, content }: Ended): string | null {
  if (status !== 'complete' || finish_reason !== 'length') return 'this reply was not cut off by a limit';
  if (content === '') return 'this reply has no text to continue: retry it';
  if (Buffer.byteLength(content) > limits.agentTextBytes - MIN_ROOM_BYTES)
    return `this reply has the most text that a message can have, ${limits.agentTextBytes} bytes`;
  return null;
}

interface Begun {
  content: string;
  parts?: readonly Part[] | undefined;
}

/** Whether the turn of a streaming reply continues it, by its stored record. */
export const isContinued = (begun: Begun): boolean => begun.content !== '';

/** Maximum UTF-8 bytes of its own text that a model receives to continue it. */
export const MAX_OWN_BYTES = 32_000;

const INSTRUCTION =
  'Your reply was cut off because it reached its maximum length. Continue it exactly where it ends, as if it had not been interrupted: do not repeat anything, do not begin it again, and do not mention the interruption.';

/**
 * What follows the context of the reply in the request of a model that continues it. It ends with the user: current
 * models refuse to complete a message of the assistant (CONTINUE-6).
 */
export function entriesToContinue(text: string): { role: 'user' | 'assistant'; text: string }[] {
  const bytes = Buffer.from(text);
  const own = bytes.length <= MAX_OWN_BYTES ? text : `…${endOf(bytes)}`;
  return [
    { role: 'assistant', text: own },
    { role: 'user', text: INSTRUCTION },
  ];
}

/** The last bytes, without the rest of a character that the cut splits. */
function endOf(bytes: Buffer): string {
  let start = bytes.length - MAX_OWN_BYTES;
  while (isContinuation(bytes[start])) start += 1;
  return bytes.toString('utf8', start);
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

interface Written {
  text: string;
  parts?: readonly Part[] | undefined;
}

/** Whether the turn has added nothing to the reply. */
export const isUntouched = (begun: Begun, { text, parts = [] }: Written): boolean =>
  text === begun.content && parts.length === (begun.parts ?? []).length;

interface End {
  status: 'complete' | 'cancelled' | 'failed';
  finishReason?: string | undefined;
}

/**
 * How the message of a continued reply ends. If the turn is stopped or fails, the message is what it was, a reply that
 * was cut off, with the text that was added: it is not lost, and can be continued again (CONTINUE-5).
 */
export const endOfContinued = ({ status, finishReason }: End): End =>
  status === 'complete' ? { status, finishReason } : { status: 'complete', finishReason: 'length' };
