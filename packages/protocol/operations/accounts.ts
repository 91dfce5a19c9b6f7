import { z } from 'zod';
import { withoutCombinations } from '../combinations.ts';
import { cursor, label, limit, name, newPassword, newUsername, optional, password, username } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Account, Device, Session } from '../resources.ts';

const signedIn = z.object({
  token: z.string().describe('what further calls are made with: a secret of this session'),
  session: Session.describe('the new session'),
  account: Account.describe('the account that has signed in'),
  device_token: z.string().meta({
    description: 'keep it on this device, also after signOut, and pass it to the next signIn of this account',
  }),
  needs_second_factor: z
    .literal(true)
    .optional()
    .describe('the service requires a second factor of the account, which has none: first it has to set one up'),
});

export const accountOperations = {
  signUp: operation({
    summary: 'Creates a human account and signs it in.',
    policy: { scope: null, rate: 'signUps', open: true },
    input: z.object({
      username: newUsername(),
      password: newPassword(),
      display_name: optional(name(limits.nameBytes)),
      invite: optional(label(limits.nameBytes)).describe(
        'the `token` of an invite to the service or to a group: needed where sign-up is by invite only',
      ),
      device: optional(Device).describe('what the list of sessions shows of the device'),
    }),
    result: signedIn,
    errors: ['conflict', 'forbidden'],
  }),
  signIn: operation({
    summary: 'Creates a session of an account that has a password.',
    policy: { scope: null, rate: 'passwordChecks', open: true },
    input: z.object({
      username: username(),
      password: password(),
      device: optional(Device).describe('what the list of sessions shows of the device'),
      device_token: optional(
        label(limits.nameBytes, 0).meta({
          description:
            '`device_token` of an earlier sign-in to this account: such a signIn is not paused by wrong passwords tried elsewhere',
        }),
      ),
      code: optional(label(limits.nameBytes)).describe(
        'of the second factor, if the account has one: a code of the app, or a recovery code; without it the error is 403 with `field` `code`',
      ),
    }),
    result: signedIn,
    errors: ['forbidden'],
    methods: [{ name: 'auth.login' }],
  }),
  exchangeSignIn: operation({
    since: 16,
    summary: 'Creates the session of a person who has signed in at an OpenID Connect issuer.',
    policy: { rate: 'tokenExchanges', scope: null, open: true },
    input: z.object({
      code: label(limits.nameBytes).describe('`sign_in` after the `#` of the address to which the sign-in led'),
      device: optional(Device).describe('what the list of sessions shows of the device'),
    }),
    result: signedIn,
    errors: ['forbidden'],
  }),
  signOut: operation({
    summary: 'Ends the current session.',
    policy: { scope: null, rate: 'endsAccess', limitedSessions: true, pending: true },
    input: z.object({}),
    result: null,
    errors: [],
  }),
  getSessions: operation({
    summary: "The caller's sessions, newest first.",
    policy: { scope: null, rate: 'none', guests: true },
    input: z.object({}),
    result: z.object({ items: z.array(Session) }),
    errors: [],
  }),
  terminateSession: operation({
    summary: "Ends one of the caller's sessions; closes its sockets and removes its push tokens.",
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object({ session_id: label(limits.nameBytes).describe('the `id` of the session') }),
    result: null,
    errors: ['not_found'],
  }),
  terminateOtherSessions: operation({
    summary: "Ends all of the caller's sessions except the current one.",
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object({}),
    result: z.object({ terminated: z.int().describe('how many sessions were ended') }),
    errors: [],
  }),
  getMe: operation({
    summary: "The caller's account.",
    policy: { scope: 'read', rate: 'none', limitedSessions: true, pending: true },
    input: z.object({}),
    result: Account,
    errors: [],
    methods: [{ name: 'auth.me' }, { name: 'accounts.me' }],
  }),
  getUser: operation({
    summary: 'An account by username.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true },
    input: z.object({ username: username() }),
    result: Account,
    errors: ['not_found'],
    methods: [{ name: 'accounts.get' }],
  }),
  getUsers: operation({
    summary:
      'Accounts by `usernames`, or those whose username or display name begins with `query`. If the service runs with DIRECTORY=shared, `query` finds only accounts that share a conversation with the caller, and an account with exactly that username.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true, guests: false },
    input: withoutCombinations(
      z.object({
        usernames: optional(z.array(username()).max(limits.listPage)).describe(
          'usernames of the accounts to return; those that do not exist are left out',
        ),
        query: optional(label(limits.nameBytes, 0)).describe('what the username or the display name begins with'),
        usable_agents: optional(z.boolean()).describe(
          'only agents with which the caller may start a direct chat; false by default',
        ),
        limit: limit(limits.listPage, limits.listPageDefault),
        cursor: cursor(),
      }),
      {
        when: { usernames: 'given', usable_agents: { is: true } },
        at: 'usable_agents',
        message: 'cannot be combined with usernames',
      },
    ),
    result: z.object({ items: z.array(Account), next_cursor: z.string().optional() }),
    errors: [],
    methods: [{ name: 'accounts.list' }],
  }),
} as const;
