import { oneLine } from './file-names.ts';

interface Reason {
  /** For the model, after "not included:"; at most WHY_CHARACTERS. */
  note: string;
  /** For people: why, and what to do. */
  text: string;
}

/** Why a model did not receive a file (CONTEXT-17). */
export const leftOut = {
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
    text: 'an agent reads at most 10 photos and 20 files at once. Ask about fewer',
  },
  too_much: { note: 'the files are too large together', text: 'the files are too large together. Ask about fewer' },
  too_late: { note: 'reading it took too long', text: 'reading it took too long. Ask again in a moment' },
  busy: { note: 'too many files are being read', text: 'too many files are being read. Ask again in a moment' },
  unavailable: { note: 'it cannot be read now', text: 'it cannot be read now. Ask again in a moment' },
} as const satisfies Record<string, Reason>;

export type WhyLeftOut = keyof typeof leftOut;

/** Maximum files that a notice names, and characters of a name. */
const NAMED = 5;
const NAME_CHARACTERS = 60;

const listOf = (names: readonly string[]): string => {
  const shown = names.slice(0, NAMED).map((name) => `“${oneLine(name.slice(0, NAME_CHARACTERS))}”`);
  const others = names.length - shown.length;
  return [...shown, ...(others > 0 ? [`${others} more`] : [])].join(', ');
};

/** The notice about files of the question that the model did not receive; undefined if it received all. */
export function unreadNotice(unread: readonly { name: string; why: WhyLeftOut }[]): string | undefined {
  const reasons = Map.groupBy(unread, ({ why }) => why);
  const lines = [...reasons].map(
    ([why, files]) => `Not read: ${listOf(files.map(({ name }) => name))} (${leftOut[why].text}).`,
  );
  return lines.length > 0 ? lines.join('\n') : undefined;
}

/** The notice about files that the model does not take (PROVIDER-19). */
export const unseenNotice = (names: readonly string[]): string =>
  `This model did not take ${listOf(names)}. Choose a model that reads images and files, or describe what is in them.`;
