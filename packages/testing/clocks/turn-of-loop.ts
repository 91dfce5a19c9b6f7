/** Resolves after one tick of the event loop: due callbacks have run, without waiting for any time. */
export const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
