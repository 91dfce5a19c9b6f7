/** How many calls a turn may make before its asker is asked (CALL-10). */
export const CALLS_ALLOWED = 25;
/** How many of them are sent at once. */
export const CALLS_AT_ONCE = 4;
