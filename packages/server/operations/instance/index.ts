import getServerInfo from './getServerInfo.ts';

export const instanceHandlers = { getServerInfo };
