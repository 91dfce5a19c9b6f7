import getServerInfo from './getServerInfo.ts';
import getUpdates from './getUpdates.ts';

export const updateHandlers = { getServerInfo, getUpdates };
