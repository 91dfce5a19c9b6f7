import { z } from 'zod';
import { accountRoles } from '../account-roles.ts';
import { cursor, label, limit, newPassword, optional, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { AdministeredAccount, ServiceInvite, ServiceOverview, ServiceSettings } from '../resources.ts';

const since = 14;
const about = ['not_found', 'forbidden'] as const;
const roleOf = () => z.enum(accountRoles);

/** What the people who run the service do with accounts, and how people come in. */
export const administrationOperations = {
  getAccounts: operation({
    summary: 'The people of the service, by username, in pages. For moderators and above.',
    policy: { scope: null, rate: 'none', role: 'moderator' },
    input: z.object({
      query: optional(label(limits.nameBytes, 0)).describe(
        'the beginning of a username or of a word of a display name',
      ),
      role: optional(roleOf()).describe('only people with this role'),
      disabled: optional(z.boolean()).describe('only accounts that are disabled, or that are not'),
      pending: optional(z.boolean()).describe('only accounts that wait for approval, or that do not'),
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
    }),
    result: z.object({ items: z.array(AdministeredAccount), next_cursor: z.string().optional() }),
    errors: ['forbidden'],
    since,
  }),
  setAccountRole: operation({
    summary:
      "Sets a person's role in the service. Owners give every role; admins move people below admin among `moderator`, `member` and `guest`. The last owner stays one: 409.",
    policy: { scope: null, rate: 'endsAccess', role: 'admin' },
    input: z.object({ username: username(), role: roleOf().describe('the new role') }),
    result: null,
    errors: [...about, 'conflict'],
    since,
  }),
  setAccountDisabled: operation({
    summary:
      'Disables a person with its agents, or enables them again: sessions end, tokens are refused, its agents answer nobody, nothing that it has scheduled is sent; what it wrote stays. For admins, of people below them, and for owners. The last owner cannot be disabled: 409.',
    policy: { scope: null, rate: 'endsAccess', role: 'admin' },
    input: z.object({ username: username(), disabled: z.boolean().describe('true disables, false enables') }),
    result: null,
    errors: [...about, 'conflict'],
    since,
  }),
  endSessions: operation({
    summary:
      "Ends all of a person's sessions and closes its sockets. For admins, of people below them, and for owners.",
    policy: { scope: null, rate: 'endsAccess', role: 'admin' },
    input: z.object({ username: username() }),
    result: z.object({ terminated: z.int().describe('how many sessions were ended') }),
    errors: about,
    since,
  }),
  resetPassword: operation({
    summary:
      'Makes a link with which a person sets a new password, once, within a day; an earlier link ends. For admins, of people below them, and for owners.',
    policy: { scope: null, rate: 'endsAccess', role: 'admin' },
    input: z.object({ username: username() }),
    result: z.object({
      link: z.string().describe('only a path if the service does not know its own address; a secret of that person'),
    }),
    errors: about,
    since,
  }),
  setPasswordByLink: operation({
    summary:
      'Sets a new password with the token of a link of resetPassword, and ends all sessions of the account. A token that is unknown, expired or used is 404.',
    policy: { scope: null, rate: 'signUps', open: true },
    input: z.object({
      token: label(limits.nameBytes).describe('what stands after `#` in the link'),
      password: newPassword(),
    }),
    result: z.object({ username: z.string() }),
    errors: ['not_found'],
    since,
  }),
  approveAccount: operation({
    summary:
      'Lets in an account that waits for approval, which then joins the groups of its invite; or refuses it, which deletes it. For admins and owners.',
    policy: { scope: null, rate: 'endsAccess', role: 'admin' },
    input: z.object({ username: username(), approved: z.boolean().describe('false deletes the account') }),
    result: null,
    errors: [...about, 'conflict'],
    since,
  }),
  getServiceSettings: operation({
    summary: 'What is set for the whole service.',
    policy: { scope: null, rate: 'none' },
    input: z.object({}),
    result: ServiceSettings,
    errors: ['forbidden'],
    since,
  }),
  setServiceSettings: operation({
    summary: 'Changes what is set for the whole service; absent fields stay. For admins and owners.',
    policy: { scope: null, rate: 'writes', role: 'admin' },
    input: ServiceSettings.partial(),
    result: ServiceSettings,
    errors: ['forbidden'],
    since,
  }),
  getServiceOverview: operation({
    summary:
      'The service in numbers: people by role, what they store, what the agents of the installation have used in 30 days, nodes, version. For admins and owners.',
    policy: { rate: 'none', scope: null, role: 'admin' },
    input: z.object({}),
    result: ServiceOverview,
    errors: ['forbidden'],
    since: 16,
  }),
  createServiceInvite: operation({
    summary:
      'Creates a link with which people create accounts, also where sign-up is by invite only. For those who may invite (`who_invites`).',
    policy: { scope: null, rate: 'writes' },
    input: z.object({
      max_uses: optional(z.number().int().min(1).max(limits.inviteUses)).describe(
        'how many accounts can be created with it; absent for no limit',
      ),
      expires_in: optional(z.number().int().min(limits.inviteSecondsLeast).max(limits.inviteSecondsMost)).describe(
        'seconds until it stops to be valid; absent: when it is revoked',
      ),
      chat_ids: optional(z.array(uuid()).max(limits.inviteChats)).describe(
        'ids of groups that the caller manages: the new accounts join them',
      ),
      role: optional(z.enum(['member', 'guest'])).describe('of the new accounts; absent: `member`'),
      approval: optional(z.boolean()).describe('whether the new accounts wait for approveAccount'),
    }),
    result: ServiceInvite.extend({
      token: z.string().describe('`invite` of signUp; shown only once, a secret of those who may come in'),
      url: z.string().meta({ description: 'only a path if the service does not know its own address' }),
    }),
    errors: about,
    since,
  }),
  getServiceInvites: operation({
    summary: 'The valid invites to the service, newest first: for admins and owners all, for others their own.',
    policy: { scope: null, rate: 'none', guests: true },
    input: z.object({}),
    result: z.object({ items: z.array(ServiceInvite) }),
    errors: ['forbidden'],
    since,
  }),
  revokeServiceInvite: operation({
    summary: "Revokes an invite to the service: the caller's own, or any for admins and owners. Any other is 404.",
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object({ invite_id: uuid().describe('the `id` of the invite') }),
    result: null,
    errors: ['not_found'],
    since,
  }),
} as const;
