import { account, channel, message, type Table } from './table.ts';

/** Uploaded files, the messages that hold them, and their bytes. */
export const files = {
  files: {
    key: ['key'],
    // Those that a message holds stay with it.
    references: { account_key: account('files without their account') },
    exported: ['files'],
  },
  message_files: {
    key: ['message_key', 'file_key'],
    references: {
      message_key: message('attached files without their message', { onDelete: 'deleted' }),
      file_key: { what: 'messages without their file', table: 'files' },
      channel_key: channel('attached files without their channel', { onDelete: 'deleted' }),
    },
    exported: 'messages name their files',
  },
  file_texts: {
    key: ['file_key'],
    references: {
      file_key: { what: 'texts without their file', table: 'files', onDelete: 'deleted' },
      owner_key: account('texts of files without their owner'),
    },
    exported: 'is read from the files, which the export names (FILE-29)',
  },
  file_text_changes: {
    key: ['key'],
    references: { message_key: message('read files without their message') },
    exported: 'an index of files, which follows them',
  },
  file_words: {
    key: ['message_key', 'place'],
    unchecked: { message_key: 'an index of files, which follows them' },
    exported: 'an index of files, which follows them',
    engine: 'postgres',
  },
  stored_bytes: {
    key: ['owner_key'],
    references: { owner_key: account('stored bytes without their owner') },
    exported: 'a sum over messages and files',
  },
  open_uploads: {
    key: ['key'],
    references: { account_key: account('unfinished uploads without their account', { onDelete: 'belonging' }) },
    unchecked: { file_id: 'the file may have been deleted since' },
    exported: 'are no files yet',
    unmoved: 'their parts are not moved: clients begin them again',
    emptied: true,
  },
  files_to_remove: { key: ['name'], exported: 'bytes that no row names' },
  stored_files: {
    key: ['name'],
    exported: 'the bytes of `files`',
    engine: 'postgres',
  },
  file_chunks: {
    key: ['name', 'at'],
    exported: 'the bytes of `files`',
    engine: 'postgres',
  },
} as const satisfies Readonly<Record<string, Table>>;
