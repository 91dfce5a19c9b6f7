/** What keeps the command from doing its work: told without a stack, exit code 1 (ADMIN-1). */
export class Failure extends Error {}

/** The command was called in a wrong way: exit code 2 (ADMIN-1). */
export class Misuse extends Error {}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
