import type { Room } from './room.ts';
import type { OfficeBounds, OfficeDocument } from './tree.ts';
import type { Zip } from './zip.ts';

/** What the readers of all parts of one file share. */
export interface Reading {
  readonly zip: Zip;
  readonly room: Room;
  readonly bounds: OfficeBounds;
  /** How many files are around this one. */
  readonly depth: number;
  /** Reads a file that is a part of this one. */
  readonly inside: (zip: Zip) => Promise<OfficeDocument>;
}
