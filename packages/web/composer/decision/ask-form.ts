// Asking for a decision. May import: the rooms below composer.
import type { Params } from '@parley/protocol';
import { fits } from '@parley/protocol/byte-length';
import { limits } from '@parley/protocol/limits';
import { t } from '../../words/t.ts';

/** What askDecision takes beside its place. */
export type AskedDecision = Pick<
  Params<'askDecision'>,
  'text' | 'options' | 'deciders' | 'private' | 'expires_in' | 'client_msg_id'
>;

export interface AskDraft {
  readonly question: string;
  /** As they were typed; blank ones are left out. */
  readonly options: readonly string[];
  readonly who: 'anyone' | 'admins' | 'people';
  /** Usernames, for `people`. */
  readonly people: readonly string[];
  readonly isPrivate: boolean;
  /** Seconds; empty for none. */
  readonly expiresIn: string;
}

export const emptyDraft: AskDraft = {
  question: '',
  options: ['', ''],
  who: 'anyone',
  people: [],
  isPrivate: false,
  expiresIn: '',
};

const labelsIn = ({ options }: AskDraft): string[] =>
  options.map((option) => option.trim()).filter((one) => one !== '');

/** What the writer must change before the service takes it; null if nothing. */
export function problemOf(draft: AskDraft): string | null {
  const labels = labelsIn(draft);
  if (draft.question.trim() === '') return t('Write a question.');
  if (!fits(draft.question, limits.humanTextBytes)) return t('The question is too long. Shorten it.');
  if (labels.length === 0) return t('Write at least one option.');
  if (new Set(labels).size < labels.length) return t('Two options are the same. Change one of them.');
  if (labels.some((label) => Array.from(label).length > limits.decisionLabelCharacters))
    return t('An option is too long. Shorten it.');
  if (draft.who === 'people' && draft.people.length === 0) return t('Choose who decides.');
  return null;
}

export function askedOf(draft: AskDraft, clientMsgId: string): AskedDecision {
  const isListed = draft.who === 'people';
  return {
    text: draft.question.trim(),
    options: labelsIn(draft).map((label, at) => ({ id: `option_${at + 1}`, label })),
    deciders: draft.who === 'people' ? [...draft.people] : draft.who,
    ...(isListed && draft.isPrivate && { private: true }),
    ...(draft.expiresIn !== '' && { expires_in: Number(draft.expiresIn) }),
    client_msg_id: clientMsgId,
  };
}
