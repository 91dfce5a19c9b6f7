/** A failure of the command: printed without a stack, exit code 1 (ADMIN-1). */
export class Failure extends Error {}

/** Wrong usage of the command: exit code 2 (ADMIN-1). */
export class Misuse extends Error {}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
