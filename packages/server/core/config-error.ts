/** An invalid environment variable: the start ends with this message and exit code 1 (CONFIG-1). */
export class ConfigError extends Error {}
