import { account, chat, session, type Table } from './table.ts';

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
  access_tokens: {
    key: ['key'],
    references: { account_key: account('access tokens without their account', { onDelete: 'belonging' }) },
    unchecked: { client_id: 'is the id of a program, or the address of what it says of itself' },
    exported: ['access_tokens'],
  },
  second_factors: {
    key: ['account_key'],
    references: { account_key: account('second factors without their account', { onDelete: 'belonging' }) },
    exported: ['second_factor'],
  },
  recovery_codes: {
    key: ['account_key', 'code_hash'],
    references: { account_key: account('recovery codes without their account', { onDelete: 'belonging' }) },
    exported: ['second_factor'],
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
  pending_joins: {
    key: ['account_key', 'chat_key'],
    references: {
      account_key: account('groups to join without their account', { onDelete: 'belonging' }),
      chat_key: chat('groups to join that do not exist'),
      inviter_key: account('groups to join without their inviter'),
    },
    exported: 'only until an administrator has approved the account',
  },
  password_links: {
    key: ['account_key'],
    references: {
      account_key: account('links for a password without their account', { onDelete: 'belonging' }),
      maker_key: account('links for a password without their maker'),
    },
    exported: 'only hashes of tokens',
  },
  service_invites: {
    key: ['key'],
    references: { creator_key: account('invites to the service without their creator') },
    exported: 'belongs to the service',
  },
  service_invite_chats: {
    key: ['invite_key', 'place'],
    references: {
      invite_key: {
        what: 'groups of an invite to the service that does not exist',
        table: 'service_invites',
        onDelete: 'deleted',
      },
      chat_key: chat('groups of an invite to the service that do not exist'),
    },
    exported: 'belongs to the service',
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
  user_groups: {
    key: ['key'],
    exported: 'belongs to the service',
  },
  user_group_people: {
    key: ['group_key', 'account_key'],
    references: {
      group_key: { what: 'people of groups that do not exist', table: 'user_groups', onDelete: 'deleted' },
      account_key: account('groups of people without their account', { onDelete: 'belonging' }),
    },
    exported: 'is made by admins, and seen by everyone',
  },
  oidc_identities: {
    key: ['issuer', 'subject'],
    references: { account_key: account('identities at issuers without their account', { onDelete: 'belonging' }) },
    exported: ['issuers'],
  },
  oidc_logins: {
    key: ['state_hash'],
    exported: 'only until the person comes back from the issuer',
  },
  oidc_codes: {
    key: ['code_hash'],
    references: { account_key: account('codes of sign-ins without their account', { onDelete: 'belonging' }) },
    exported: 'only until the browser has exchanged it',
  },
  oidc_sessions: {
    key: ['session_key'],
    references: {
      session_key: {
        what: 'sessions at issuers without their session',
        table: 'sessions',
        onDelete: 'deleted',
      },
      account_key: account('sessions at issuers without their account', { onDelete: 'belonging' }),
    },
    exported: 'says of a session only where it began; its refresh token is a secret',
  },
  oidc_logouts: {
    key: ['jti_hash'],
    exported: 'only hashes of logout tokens',
  },
  emoji: {
    key: ['name'],
    references: { account_key: account('custom emoji without the person who made them', { onDelete: 'deleted' }) },
    exported: ['emoji'],
  },
} as const satisfies Readonly<Record<string, Table>>;
