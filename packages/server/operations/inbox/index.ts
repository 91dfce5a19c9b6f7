// Inboxes of people: the messages that each of them is to look at.
import getInbox from './getInbox.ts';
import setInboxDone from './setInboxDone.ts';

export const inboxHandlers = { getInbox, setInboxDone };
