// What the reading of a source stores, each in one unit.
import type { SourceFailure } from '@parley/protocol';
import { account, household } from '../commits/lock-names.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit, nothing } from '../commits/unit-locks.ts';
import { fitsQuota } from '../files/storage-quota.ts';
import type { LibraryText } from '../rules/library-text.ts';
import {
  claimedSource,
  claimSource,
  countSources,
  putSourceText,
  setSourceRead,
  type SourceRow,
  unclaimSource,
} from '../store/sources.ts';
import { addStored } from '../store/stored-bytes.ts';
import { announceSources, titleOf } from './sources.ts';

/** Maximum bytes of the texts of a library together, with the indexes of their words (KNOW-3). */
export const LIBRARY_BYTES = 32 * 1024 * 1024;

/** What is stored of a try counts only while it is the last one of the last round. */
export interface Claim {
  key: number;
  round: number;
  tries: number;
}

/** Claims a source that waits to be read; null if another node reads it, or it is gone. */
const claimLibrarySource = internalUnit(
  {
    // One statement compares the claim that it replaces.
    locks: nothing,
  },
  async ({ tx, now }: UnitCall, { key, forMs }: { key: number; forMs: number }): Promise<Claim | null> => {
    const row = await tx.get(claimSource, key, now, now + forMs, now + 2 * forMs);
    return row ? { key, ...row } : null;
  },
);

/** Ends a claim without a result. */
const unclaimLibrarySource = internalUnit(
  { locks: nothing },
  async ({ tx, now }: UnitCall, { claim, forMs }: { claim: Claim; forMs: number }): Promise<void> => {
    const { key, round, tries } = claim;
    await tx.run(unclaimSource, key, round, tries, now + forMs);
  },
);

interface Read {
  claim: Claim;
  ownerKey: number;
  /** The agent's username. */
  agent: string;
  found: LibraryText | { failure: SourceFailure };
}

/** Stores what was read of a source, or why it could not be: then an earlier text stays. */
const storeLibrarySource = internalUnit(
  {
    // The owner's sources are counted, and the bytes that the owner stores.
    locks: ({ input }: { input: Read }) => [account(input.ownerKey), household(input.agent)],
  },
  async (call: UnitCall, { claim, found }: Read): Promise<void> => {
    const { tx, now } = call;
    const row = await tx.get(claimedSource, claim.key, claim.round, claim.tries);
    if (!row) return;
    const bytes = 'failure' in found ? 0 : Buffer.byteLength(found.passages) + Buffer.byteLength(found.words);
    const failure = 'failure' in found ? found.failure : await whyNoRoom(call, row, bytes);
    if (failure !== null || 'failure' in found)
      await tx.run(setSourceRead, row.key, now, row.title, row.is_cut, row.bytes, failure);
    else {
      await tx.run(putSourceText, row.key, found.passages, found.words);
      await tx.run(addStored, row.agent_key, bytes - row.bytes);
      const title = row.is_untitled === 1 && found.title !== undefined ? titleOf(found.title) : row.title;
      await tx.run(setSourceRead, row.key, now, title, Number(found.isCut), bytes, null);
    }
    await announceSources(call, row.agent_key);
  },
);

/** Why a text is not stored; null if it may be. */
async function whyNoRoom(call: UnitCall, row: SourceRow, bytes: number): Promise<SourceFailure | null> {
  const all = (await call.tx.get(countSources, row.agent_key))?.bytes ?? 0;
  if (all - row.bytes + bytes > LIBRARY_BYTES) return 'library_full';
  return (await fitsQuota(call, row.agent_key, bytes - row.bytes)) ? null : 'storage_full';
}

export const sourceUnits = { claimLibrarySource, storeLibrarySource, unclaimLibrarySource } as const;
