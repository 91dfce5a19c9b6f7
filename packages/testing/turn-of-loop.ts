/** Resolves when the event loop has gone round once: what was due has happened, nobody has waited for a time. */
export const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
