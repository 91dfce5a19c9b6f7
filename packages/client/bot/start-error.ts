import { onUncaught } from './signals.ts';

/** The bot cannot run as it was set up. Where nobody catches that it is one line, not a stack, and exit code 1. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
    onUncaught(say);
  }
}

const say = (error: unknown): string | null => (error instanceof StartError ? error.message : null);
