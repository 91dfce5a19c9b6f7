// Names that no account and no group of people has, because they mean something else.
import { limits, type Role } from '@parley/protocol';

/** `@all` and `@here`, which mention people without naming them (MENTION-15, MENTION-16). */
export type NameForAll = 'all' | 'here';

export const isNameForAll = (name: string): name is NameForAll => name === 'all' || name === 'here';

/** The actor in the audit of what the operator's shell does (AUDIT-2). */
export const SHELL = 'shell';

/** Whether no new account and no group of people may have this name. */
export const isKeptName = (name: string): boolean => isNameForAll(name) || name === SHELL;

/** Whether an account mentions people with them: in a large group only owner and admins do (MENTION-15). */
export const mayMentionAll = (sender: { role: Role } | undefined, people: number): boolean =>
  people <= limits.mentionsAllPeople || (sender !== undefined && sender.role !== 'member');
