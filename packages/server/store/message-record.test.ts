import {
  givenFieldNames,
  Message,
  type MessageField,
  messageFieldNames,
  messageFieldsThat,
  ScheduledMessage,
  sentFields,
} from '@parley/protocol';
import { expect, test } from 'vitest';
import { copiedFields, givenBy, placeholderRecord, tombstoneOf, withoutCopied } from './message-record.ts';
import type { MessageRecord } from './messages.ts';

/** A record in which every stored field is filled. */
const full = Object.fromEntries(
  messageFieldsThat(({ isStored }) => isStored).map((name) => [name, ['filled']]),
) as unknown as MessageRecord; // what stands in the fields makes no difference here

const filledIn = (record: object): string[] =>
  Object.entries(record).flatMap(([name, value]) => (Array.isArray(value) && value.length > 0 ? [name] : []));
const that = (holds: (field: MessageField) => boolean): string[] =>
  messageFieldsThat((field) => field.isStored && holds(field));

const fixed = 'id conversation_id channel_id thread_root_id reply_to_id client_msg_id created_at'.split(' ');
const words = ['content', 'parts', 'attachments'];

test('DEL-2: of a deleted message its place, times and usage are left; a new field is not', () => {
  const end = { status: 'complete', deleted_at: 'now' } as const;
  const tombstone = tombstoneOf(full, end);
  expect(tombstone).toMatchObject({ content: [], attachments: [], mentions: [], dispatch: [], ...end });
  const others = ['edited_at', 'content_revision', 'finalized_at', 'usage'];
  expect(new Set(filledIn(tombstone))).toEqual(new Set([...fixed, ...others]));
  expect(tombstoneOf({ ...full, content: 'words' }, end).content).toBe('');
});

test('STREAM-2: the placeholder of a finished reply has what was known when it began', () => {
  const placeholder = placeholderRecord(full);
  expect(new Set(filledIn(placeholder))).toEqual(new Set(fixed));
  const begun = { attachments: [], mentions: [], dispatch: [], content_revision: 1, status: 'streaming' };
  expect(placeholder).toMatchObject(begun);
});

test('FORWARD-1, EXPORT-3: a copy has the words of its original, and an export all but those', () => {
  expect(Object.keys(copiedFields(full))).toEqual(words);
  expect(that(({ isCopied }) => isCopied !== true)).toEqual(Object.keys(withoutCopied(full)));
  expect(withoutCopied(full)).not.toHaveProperty('content');
});

test('MSG-1: what of a Message is not in its record, and what changes later, is as reviewed', () => {
  const rendered = 'position sender parts_revision reactions poll decision thread versions resumed'.split(' ');
  expect(new Set(messageFieldNames.filter((name) => !(name in full)))).toEqual(new Set(rendered));
  expect(messageFieldsThat(({ changesWith }) => changesWith === 'ext')).toEqual([
    'poll',
    'decision',
    'link_preview',
    'versions',
  ]);
  // A field that is emptied is a text or a list.
  expect(that(({ onDelete }) => onDelete === 'emptied')).toEqual(['content', 'attachments', 'mentions', 'dispatch']);
});

test('MSG-1: what senders give under a name of the message is in its record, and in that of a scheduled message', () => {
  expect(givenFieldNames).toContain('client_msg_id');
  expect(Object.keys(givenBy(full))).toEqual(givenFieldNames);
  expect(filledIn(givenBy(full))).toEqual(givenFieldNames);
  for (const name of givenFieldNames) {
    expect(sentFields).toHaveProperty(name);
    expect(ScheduledMessage.shape[name]).toBe(Message.shape[name]);
  }
});
