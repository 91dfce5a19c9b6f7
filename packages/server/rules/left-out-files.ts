import { limits, type PartCause, type UnreadReason } from '@parley/protocol';
import { oneLine } from './file-names.ts';
import type { Notice } from './reply-parts.ts';

interface Reason {
  /** For the model, after "not included:"; at most WHY_CHARACTERS. */
  note: string;
  /** For people: why, and what to do. */
  text: string;
}

/** Why a model did not receive a file (CONTEXT-17). */
export const leftOut: Readonly<Record<UnreadReason, Reason>> = {
  gone: { note: 'it is no longer available', text: 'it is no longer available' },
  missing: { note: 'its content is missing', text: 'its content is missing. Send it again' },
  damaged: { note: 'it could not be read', text: 'it could not be read. Send it in another format' },
  locked: { note: 'it has a password', text: 'it has a password. Send a copy without one' },
  no_text: { note: 'it contains no text', text: 'it contains no text. Send its pages as photos' },
  too_large: { note: 'it is too large', text: 'it is too large. Send the part that matters' },
  unknown_type: {
    note: 'its type cannot be read',
    text: 'agents cannot read its type. Send photos, PDF, office or text files',
  },
  too_many: {
    note: 'there are too many files',
    text: `an agent reads at most ${limits.contextImages} photos and ${limits.contextFiles} files at once. Ask about fewer`,
  },
  too_much: { note: 'the files are too large together', text: 'the files are too large together. Ask about fewer' },
  too_late: { note: 'reading it took too long', text: 'reading it took too long. Ask again in a moment' },
  busy: { note: 'too many files are being read', text: 'too many files are being read. Ask again in a moment' },
  unavailable: { note: 'it cannot be read now', text: 'it cannot be read now. Ask again in a moment' },
};

/** Maximum files or tools that a notice names, and characters of a name. */
const NAMED = 5;
const NAME_CHARACTERS = 60;

type Named = Pick<Extract<PartCause, { kind: 'files_refused' }>, 'names' | 'count'>;

/** The names as a notice has them. */
export const named = (names: readonly string[]): Named => ({
  names: names.slice(0, NAMED).map((name) => oneLine(name.slice(0, NAME_CHARACTERS))),
  count: names.length,
});

export function listOf({ names, count }: Named): string {
  const others = count - names.length;
  return [...names.map((name) => `“${name}”`), ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

/** The notice about files of the question that the model did not receive; undefined if it received all. */
export function unreadNotice(unread: readonly { name: string; why: UnreadReason }[]): Notice | undefined {
  if (unread.length === 0) return undefined;
  const reasons = [...Map.groupBy(unread, ({ why }) => why)].map(([reason, files]) => ({
    reason,
    ...named(files.map(({ name }) => name)),
  }));
  return {
    text: reasons.map((files) => `Not read: ${listOf(files)} (${leftOut[files.reason].text}).`).join('\n'),
    cause: { kind: 'files_unread', reasons },
  };
}

/** The notice about files that the model does not take (PROVIDER-19). */
export function unseenNotice(names: readonly string[]): Notice {
  const files = named(names);
  return {
    text: `This model did not take ${listOf(files)}. Choose a model that reads images and files, or describe what is in them.`,
    cause: { kind: 'files_refused', ...files },
  };
}
