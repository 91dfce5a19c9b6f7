import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit, nothing } from '../commits/unit-locks.ts';
import { claimText, lockFile, noteMessagesOfFile, setText, unclaimText } from '../store/file-texts.ts';

interface Claim {
  fileKey: number;
  /** The number of this try: a text is stored only by the try that read it. */
  tries: number;
}

/** Claims a file that waits to be read; null if another node reads it, or no message holds it any more. */
export const claimFileText = internalUnit(
  {
    // One statement compares the claim that it replaces.
    locks: nothing,
  },
  async ({ tx, now }: UnitCall, { fileKey, forMs }: { fileKey: number; forMs: number }): Promise<Claim | null> => {
    const row = await tx.get(claimText, fileKey, now, now + forMs, now + 2 * forMs);
    return row ? { fileKey, tries: row.tries } : null;
  },
);

/** Ends a claim without a result. */
export const unclaimFileText = internalUnit(
  { locks: nothing },
  async ({ tx, now }: UnitCall, { claim, forMs }: { claim: Claim; forMs: number }): Promise<void> => {
    await tx.run(unclaimText, claim.fileKey, claim.tries, now + forMs);
  },
);

/** Stores what was read of a file, for all messages that hold it; null: the file is not searched. */
export const storeFileText = internalUnit(
  {
    // The row of the file orders this unit with those that send or delete the file.
    locks: nothing,
  },
  async ({ tx, now }: UnitCall, { claim, text }: { claim: Claim; text: string | null }): Promise<void> => {
    const { fileKey, tries } = claim;
    if ((await tx.run(lockFile, fileKey)) === 0) return;
    if ((await tx.run(setText, fileKey, tries, text, now)) === 0 || text === null) return;
    await tx.run(noteMessagesOfFile, fileKey);
  },
);

export const fileTextUnits = { claimFileText, storeFileText, unclaimFileText } as const;
