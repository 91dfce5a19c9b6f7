/** How many calls a turn may make before its asker is asked (CALL-10). */
export const CALLS_ALLOWED = 25;
