/** The sign of life of a process. */
export const ALIVE = '.';
/** The same of one with an open inspector: a debugger may stop it at any time, so its silence means nothing. */
export const DEBUGGED = 'd';
