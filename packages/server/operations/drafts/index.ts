// Input drafts: what somebody has typed and not sent yet.
import getDrafts from './getDrafts.ts';
import saveDraft from './saveDraft.ts';

export const draftHandlers = { getDrafts, saveDraft };
