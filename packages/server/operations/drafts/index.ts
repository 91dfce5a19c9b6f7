// Drafts: unsent input of accounts.
import getDrafts from './getDrafts.ts';
import saveDraft from './saveDraft.ts';

export const draftHandlers = { getDrafts, saveDraft };
