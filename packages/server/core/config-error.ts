/** A value of the environment that cannot be used: the start ends with its message and exit code 1 (CONFIG-1). */
export class ConfigError extends Error {}
