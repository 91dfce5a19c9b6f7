// What the operations take and return, by subject.
export * from './resources/accounts.ts';
export * from './resources/access-tokens.ts';
export * from './resources/files.ts';
export * from './resources/messages.ts';
export * from './resources/decisions.ts';
export * from './resources/message-fields.ts';
export * from './resources/conversations.ts';
export * from './resources/webhooks.ts';
export * from './resources/later.ts';
export * from './resources/alerts.ts';
export * from './resources/agents.ts';
export * from './resources/second-factor.ts';
export * from './resources/service.ts';
export * from './resources/tools.ts';
export * from './resources/notes.ts';
export * from './resources/notifications.ts';
export * from './resources/organization.ts';
