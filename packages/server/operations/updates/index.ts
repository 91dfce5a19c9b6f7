// Keeping up with the update log: what was missed, where a socket looks, what the service is.
import getServerInfo from './getServerInfo.ts';
import getUpdates from './getUpdates.ts';
import wsFocus from './wsFocus.ts';

export const updateHandlers = { getServerInfo, getUpdates, wsFocus };
