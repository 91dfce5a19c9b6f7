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
export { emojiForm, isEmoji } from './emoji-form.ts';
export * from './folded.ts';
export * from './name-rank.ts';
export * from './part-causes.ts';
export * from './part-changes.ts';
export * from './parts.ts';
export * from './resources.ts';

/** Incremented whenever operations, fields or caps are added (VERSION-1). */
export const featureLevel = 12;
