import getMe from './getMe.ts';

export const accountHandlers = { getMe };
