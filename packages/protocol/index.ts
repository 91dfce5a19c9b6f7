import type { EventDeclaration } from './event.ts';
import { eventDeclarations } from './events.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations/index.ts';
import { type MessageField, messageFields } from './resources.ts';

export * from './access-scopes.ts';
export * from './account-roles.ts';
export * from './byte-length.ts';
export * from './caps.ts';
export * from './deleted-name.ts';
export * from './errors.ts';
export * from './event.ts';
export * from './events.ts';
export * from './field-notes.ts';
export * from './fields.ts';
export * from './limits.ts';
export * from './operation.ts';
export * from './operations/groups.ts';
export * from './operations/index.ts';
export { sentFields } from './operations/messages.ts';
export { emojiForm, isEmoji } from './emoji-form.ts';
export * from './folded.ts';
export * from './name-rank.ts';
export * from './part-causes.ts';
export * from './part-changes.ts';
export * from './parts.ts';
export * from './resources.ts';

/** Raised by hand for a field of something else than a Message, and for a cap. */
const leastLevel = 17;
const declarations = [
  ...Object.values<Operation>(operations),
  ...Object.values<EventDeclaration>(eventDeclarations),
  ...Object.values<MessageField>(messageFields),
];

/** Rises whenever operations, events, fields or caps are added: what is new says `since`, or raises `leastLevel` (VERSION-1). */
export const featureLevel = Math.max(leastLevel, ...declarations.map(({ since = 0 }) => since));
