import { account, session, type Table } from './table.ts';

/** Accounts, how they sign in, and their settings. */
export const people = {
  accounts: {
    key: ['key'],
    references: { parent_key: account('accounts without their owner', { none: null }) },
    exported: ['account', 'agents'],
  },
  sessions: {
    key: ['key'],
    references: {
      account_key: account('sessions without their account', { onDelete: 'deleted' }),
      backend_key: { what: 'limited sessions without their backend', table: 'backends', none: null },
    },
    exported: ['sessions'],
  },
  backends: {
    key: ['key'],
    references: { owner_key: account('backends without their owner') },
    exported: 'the operator has registered them',
  },
  backend_users: {
    key: ['backend_key', 'external_id'],
    references: {
      backend_key: { what: 'users of a backend that does not exist', table: 'backends' },
      account_key: account('users of a backend without their account', { onDelete: 'belonging' }),
    },
    unchecked: { external_id: 'is an id in another product' },
    exported: ['identities'],
  },
  deleted_backend_users: {
    key: ['backend_key', 'id_hash'],
    references: { backend_key: { what: 'deleted users of a backend that does not exist', table: 'backends' } },
    exported: 'is about accounts that were deleted',
  },
  device_tokens: {
    key: ['token_hash'],
    references: { account_key: account('device tokens without their account', { onDelete: 'belonging' }) },
    unchecked: { session_id: 'the session that the device began last may have ended' },
    exported: 'only hashes of tokens',
  },
  notification_prefs: {
    key: ['account_key'],
    references: { account_key: account('preferences without their account', { onDelete: 'belonging' }) },
    exported: ['notifications'],
  },
  statuses: {
    key: ['account_key'],
    references: { account_key: account('statuses without their account', { onDelete: 'belonging' }) },
    exported: ['status'],
  },
  privacy: {
    key: ['account_key'],
    references: { account_key: account('privacy settings without their account', { onDelete: 'belonging' }) },
    exported: ['privacy'],
  },
  blocks: {
    key: ['account_key', 'blocked_key'],
    references: {
      account_key: account('blocks without their account', { onDelete: 'deleted' }),
      blocked_key: account('blocks without the blocked account', { onDelete: 'deleted' }),
    },
    exported: ['blocked'],
  },
  device_prefs: {
    key: ['session_id'],
    references: { session_id: session('preferences without their session') },
    exported: ['sessions'],
  },
  push_tokens: {
    key: ['key'],
    references: {
      account_key: account('push tokens without their account', { onDelete: 'deleted' }),
      session_id: session('push tokens without their session'),
    },
    exported: ['push_devices'],
  },
  avatars: {
    key: ['account_key'],
    references: { account_key: account('avatars without their account', { onDelete: 'deleted' }) },
    exported: ['account', 'agents'],
  },
  emoji: {
    key: ['name'],
    references: { account_key: account('custom emoji without the person who made them', { onDelete: 'deleted' }) },
    exported: ['emoji'],
  },
} as const satisfies Readonly<Record<string, Table>>;
