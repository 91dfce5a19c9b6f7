// What a deletion, a copy, an export and the placeholder of a reply take from a stored record, as the fields of a Message
// are declared.
import {
  type GivenField,
  givenFieldNames,
  type MessageField,
  messageFieldsThat,
  type StoredField,
} from '@parley/protocol';
import type { MessageRecord } from './messages.ts';

const stored = (holds: (field: MessageField) => boolean): ReadonlySet<string> =>
  new Set(messageFieldsThat((field) => field.isStored && holds(field)));

const emptied = stored(({ onDelete }) => onDelete === 'emptied');
const fixed = stored(({ isFixed }) => isFixed === true);
const kept = new Set([...fixed, ...stored(({ onDelete }) => onDelete === 'kept')]);
const copied = messageFieldsThat(({ isStored, isCopied }) => isStored && isCopied === true) as StoredField[]; // only stored ones

/** The record without the fields that are neither kept nor emptied; what is emptied is an empty text or list. */
function reduced(record: MessageRecord, isKept: ReadonlySet<string>): MessageRecord {
  const entries = Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    if (isKept.has(name)) return [[name, value]];
    return emptied.has(name) ? [[name, typeof value === 'string' ? '' : []]] : [];
  });
  // The fields that every record has are kept, emptied, or set by the callers.
  return Object.fromEntries(entries) as MessageRecord;
}

/** What a deleted message keeps (DEL-2). */
export const tombstoneOf = (
  record: MessageRecord,
  end: Pick<MessageRecord, 'status' | 'deleted_at'>,
): MessageRecord => ({
  ...reduced(record, kept),
  ...end,
});

/** The record with which a reply began (STREAM-2). */
export const placeholderRecord = (record: MessageRecord): MessageRecord => ({
  ...reduced(record, fixed),
  content_revision: 1,
  status: 'streaming',
});

type CopiedFields = Pick<MessageRecord, 'content' | 'attachments'> & Partial<MessageRecord>;

/** What a forwarded copy has from its original (FORWARD-1). */
export const copiedFields = (original: MessageRecord): CopiedFields =>
  // Text and attachments, which every record has, are among them.
  Object.fromEntries(copied.map((name) => [name, original[name]])) as CopiedFields;

/** The record without what a copy has from its original. */
export const withoutCopied = (record: MessageRecord): Partial<MessageRecord> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !copied.some((one) => one === name)));

/** What a sender gives under the names of the message's own fields. */
export const givenBy = (input: Pick<MessageRecord, GivenField>): Pick<MessageRecord, GivenField> =>
  Object.fromEntries(givenFieldNames.map((name) => [name, input[name]]));
