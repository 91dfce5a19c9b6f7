// Following the update log: missed frames, the focus of a socket; and information about the service.
import getServerInfo from './getServerInfo.ts';
import getUpdates from './getUpdates.ts';
import wsFocus from './wsFocus.ts';

export const updateHandlers = { getServerInfo, getUpdates, wsFocus };
