// Following the update log: missed frames, and the focus of a socket.
import getUpdates from './getUpdates.ts';
import wsFocus from './wsFocus.ts';

export const updateHandlers = { getUpdates, wsFocus };
