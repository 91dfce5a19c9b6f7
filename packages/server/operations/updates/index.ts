import getServerInfo from './getServerInfo.ts';
import getUpdates from './getUpdates.ts';
import wsFocus from './wsFocus.ts';

export const updateHandlers = { getServerInfo, getUpdates, wsFocus };
