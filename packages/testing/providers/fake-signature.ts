import { createHash } from 'node:crypto';

/** What a fake vendor signs thoughts with: only thoughts that it wrote have this signature. */
export const signatureOf = (thoughts: string): string => createHash('sha256').update(thoughts).digest('base64');

/** Thoughts that the vendor hides. */
export const HIDDEN_THOUGHTS = 'EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIw';
