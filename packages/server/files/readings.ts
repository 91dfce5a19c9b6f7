import { OwnerQueues } from '../core/owner-queues.ts';
import type { Clock } from '../core/clock.ts';
import { idText } from '../core/ids.ts';
import { RecentValues } from '../core/recent-values.ts';
import type { FileRow } from '../store/files.ts';
import { base64Of } from './base64.ts';
import { FileReader, type Forms, isInspected, type Reading, type ReaderNeeds } from './file-reader.ts';
import { bytesOf } from './stored-files.ts';

/** Maximum memory for what was read, and how long it is kept: conversations ask about a photo several times in a row. */
const KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_MS = 600_000;
const KEPT_COUNT = 2_000;

interface ReadingsNeeds extends ReaderNeeds {
  clock: Clock;
}

/**
 * Reads files for models. What was read is kept for a while, so that several turns about a photo scale it once. Decoding
 * runs in the inspecting process, for each human one file after another.
 */
export class Readings {
  readonly #needs: ReadingsNeeds;
  readonly #reader: FileReader;
  readonly #kept: RecentValues<Reading>;
  readonly #originals: RecentValues<Buffer | null>;
  readonly #queues = new OwnerQueues();

  constructor(needs: ReadingsNeeds) {
    this.#needs = needs;
    this.#reader = new FileReader(needs);
    const { clock } = needs;
    this.#kept = new RecentValues({ clock, maxBytes: KEPT_BYTES / 2, maxCount: KEPT_COUNT, keptMs: KEPT_MS });
    this.#originals = new RecentValues({ clock, maxBytes: KEPT_BYTES / 2, maxCount: KEPT_COUNT, keptMs: KEPT_MS });
  }

  /** Throws if the storage or the queue of this human is not available at the moment. */
  read(file: FileRow, forms: Forms, ownerKey: number): Promise<Reading> {
    const form = file.kind === 'photo' ? forms.px : `${forms.characters}/${forms.pages}`;
    const key = `${idText(file.id)} ${form}`;
    return this.#kept.get(key, sizeOf, () => {
      const read = () => this.#reader.read(file, forms, ownerKey);
      return isInspected(file) ? this.#queues.run(ownerKey, read) : read();
    });
  }

  /** The file itself, as base64; null if its bytes are missing. Only for files that are small enough to be sent. */
  original(file: FileRow): Promise<Buffer | null> {
    return this.#originals.get(
      idText(file.id),
      (data) => data?.length ?? 0,
      async () => {
        const source = await this.#needs.storage.read(bytesOf(idText(file.id)));
        return source ? base64Of(source) : null;
      },
    );
  }

  /** Drops what was read long enough ago (CONTEXT-19). */
  expire(): void {
    this.#kept.expire();
    this.#originals.expire();
  }

  /** The bytes of what is kept. */
  get keptBytes(): number {
    return this.#kept.bytes + this.#originals.bytes;
  }
}

const sizeOf = (reading: Reading): number => {
  if (reading.type === 'image') return reading.data.length;
  return reading.type === 'unreadable' ? 0 : reading.text.length * 2;
};
