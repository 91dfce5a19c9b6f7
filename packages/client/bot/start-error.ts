import { onUncaught } from './signals.ts';

/** The bot cannot run with its options. Uncaught, it is printed as one line without a stack, with exit code 1. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
    onUncaught(say);
  }
}

const say = (error: unknown): string | null => (error instanceof StartError ? error.message : null);
