// One file per operation, named as in the URL, in folders by resource. A missing handler is a compile error.
import type { OperationName } from '@parley/protocol';
import type { Handler } from './handler.ts';
import { accountHandlers } from './accounts/index.ts';
import { agentHandlers } from './agents/index.ts';
import { backendHandlers } from './backends/index.ts';
import { botConfigHandlers } from './bot-config/index.ts';
import { conversationHandlers } from './conversations/index.ts';
import { draftHandlers } from './drafts/index.ts';
import { emojiHandlers } from './emoji/index.ts';
import { fileHandlers } from './files/index.ts';
import { inboxHandlers } from './inbox/index.ts';
import { interactionHandlers } from './interactions/index.ts';
import { inviteHandlers } from './invites/index.ts';
import { messageHandlers } from './messages/index.ts';
import { notificationHandlers } from './notifications/index.ts';
import { peopleHandlers } from './people/index.ts';
import { pollHandlers } from './polls/index.ts';
import { scheduledHandlers } from './scheduled/index.ts';
import { instanceHandlers } from './instance/index.ts';
import { streamHandlers } from './streams/index.ts';
import { updateHandlers } from './updates/index.ts';
import { usageHandlers } from './usage/index.ts';
import { webhookHandlers } from './webhooks/index.ts';

export const handlers: { readonly [Name in OperationName]: Handler<Name> } = {
  ...accountHandlers,
  ...agentHandlers,
  ...backendHandlers,
  ...botConfigHandlers,
  ...conversationHandlers,
  ...draftHandlers,
  ...emojiHandlers,
  ...fileHandlers,
  ...inboxHandlers,
  ...interactionHandlers,
  ...inviteHandlers,
  ...messageHandlers,
  ...notificationHandlers,
  ...peopleHandlers,
  ...pollHandlers,
  ...scheduledHandlers,
  ...instanceHandlers,
  ...streamHandlers,
  ...updateHandlers,
  ...usageHandlers,
  ...webhookHandlers,
};
