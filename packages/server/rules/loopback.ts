const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Whether only this machine can be reached under a name. */
export const isLoopbackName = (host: string): boolean =>
  LOOPBACK.has(host) || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
