import getUpdates from './getUpdates.ts';

export const updateHandlers = { getUpdates };
