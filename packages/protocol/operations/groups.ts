import { accessTokenOperations } from './access-tokens.ts';
import { accountOperations } from './accounts.ts';
import { administrationOperations } from './administration.ts';
import { agentOperations } from './agents.ts';
import { auditOperations } from './audit.ts';
import { backendOperations } from './backends.ts';
import { botConfigOperations } from './bot-config.ts';
import { conversationOperations } from './conversations.ts';
import { customAgentOperations } from './custom-agents.ts';
import { decisionOperations } from './decisions.ts';
import { draftOperations } from './drafts.ts';
import { emojiOperations } from './emoji.ts';
import { fileOperations } from './files.ts';
import { inboxOperations } from './inbox.ts';
import type { OperationName } from './index.ts';
import { interactionOperations } from './interactions.ts';
import { inviteOperations } from './invites.ts';
import { messageOperations } from './messages.ts';
import { noteOperations } from './notes.ts';
import { sourceOperations } from './sources.ts';
import { notificationOperations } from './notifications.ts';
import { peopleOperations } from './people.ts';
import { pollOperations } from './polls.ts';
import { programOperations } from './programs.ts';
import { reportOperations } from './reports.ts';
import { scheduledOperations } from './scheduled.ts';
import { instanceOperations } from './instance.ts';
import { secondFactorOperations } from './second-factor.ts';
import { toolOperations } from './tools.ts';
import { updateOperations } from './updates.ts';
import { usageOperations } from './usage.ts';
import { userGroupOperations } from './user-groups.ts';
import { webhookOperations } from './webhooks.ts';

export interface OperationGroup {
  title: string;
  about: string;
  names: readonly OperationName[];
}

const group = (title: string, about: string, operations: Partial<Record<OperationName, unknown>>): OperationGroup => ({
  title,
  about,
  names: Object.keys(operations) as OperationName[], // the parameter's type allows only names of operations as keys
});

/** The order in which the published documents list the operations. */
export const operationGroups: readonly OperationGroup[] = [
  group('Accounts and sessions', 'Sign up, sign in, list and end sessions, find accounts.', accountOperations),
  group('Second factor', 'Sign in with a code besides the password.', secondFactorOperations),
  group('Access tokens', 'Let programs act for you, within scopes.', accessTokenOperations),
  group('Programs', 'Programs that ask on a page whether they may act for you.', programOperations),
  group('People', "A person's own account: its profile, password, status, privacy, blocks and data.", peopleOperations),
  group(
    'Roles and coming in',
    'The people of the service: their roles, invites to the service, approval, ending access.',
    administrationOperations,
  ),
  group('Users of your own backend', 'Accounts and tokens for the users of a product of your own.', backendOperations),
  group(
    'Conversations',
    'Direct chats, groups and channels, their members, and what each account keeps about them.',
    conversationOperations,
  ),
  group('Groups of people', 'People who are mentioned together, by the name of their group.', userGroupOperations),
  group('Invites', 'Links that let people join a group.', inviteOperations),
  group('Webhooks', 'Posts that become messages, and events that the service sends to an address.', webhookOperations),
  group(
    'Messages',
    'Send, edit, forward, read, search, delete and pin messages, and react to them.',
    messageOperations,
  ),
  group('Polls', 'Vote in polls, close them, see who voted.', pollOperations),
  group('Decisions', 'Ask people to decide, decide, take questions back.', decisionOperations),
  group(
    'Scheduled messages and reminders',
    'Messages that the service sends later, and reminders of messages.',
    scheduledOperations,
  ),
  group('Custom emoji', 'Pictures that people write as `:name:`.', emojiOperations),
  group('Files', 'Upload the files that messages, profiles and groups show.', fileOperations),
  group('Input drafts', 'What a person has typed and not sent, on all its devices.', draftOperations),
  group('Inbox', 'Mentions, replies and failed replies that a person is to look at.', inboxOperations),
  group('Agents and bots', 'Keys, agents of groups, bots and their streaming replies.', agentOperations),
  group(
    'Agents that people make',
    'Agents that the service runs, with a model and instructions of their own.',
    customAgentOperations,
  ),
  group(
    'Alerts, inline queries, components',
    'Alerts, suggestions of bots while a person types, and buttons and forms in messages.',
    interactionOperations,
  ),
  group(
    'Agent settings',
    'The settings and secrets of an agent: those of its owner and those of each account.',
    botConfigOperations,
  ),
  group(
    'Tools of agents',
    'The MCP servers whose tools an agent may use, and the credentials for them.',
    toolOperations,
  ),
  group(
    'Notes of agents',
    'What agents remember of a person or a group: text that people read and edit.',
    noteOperations,
  ),
  group(
    'Libraries of agents',
    'The files and pages that an owner gives an agent: it searches them, and its replies cite them.',
    sourceOperations,
  ),
  group('Token usage of agents', 'Tokens that replies used, and what they cost.', usageOperations),
  group(
    'Notifications',
    'Preferences of an account and its devices, and where pushes are sent.',
    notificationOperations,
  ),
  group('Updates and the service', 'Events that a client missed, the timeline in focus, and the service itself.', {
    ...updateOperations,
    ...instanceOperations,
  }),
  group('Audit', 'What was done to the installation, its accounts and its rights.', auditOperations),
  group('Reports', 'Messages that people report, and what moderators do about them.', reportOperations),
];
