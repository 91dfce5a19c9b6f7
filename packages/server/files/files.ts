import { dateAfter, dateBefore } from '@parley/protocol/dates';
import { join } from 'node:path';
import type { FileBody, UploadedFile } from '@parley/protocol';
import type { Logger } from 'pino';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { fileTextUnits } from './file-text-units.ts';
import { FileTexts } from './file-texts.ts';
import { FileReader } from './file-reader.ts';
import type { fileUnits } from './stored-files.ts';
import type { Caller } from '../access/call.ts';
import type { Clock } from '../core/clock.ts';
import { ServiceError, unavailable } from '../core/errors.ts';
import { type PacedSlot, PacedSlots } from '../core/paced-slots.ts';
import { idText, newIdBytes } from '../core/ids.ts';
import type { Settings } from '../core/settings.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import { accountByKey } from '../store/accounts.ts';
import { type FileRow, fileForAccount, unusedBefore, unusedOf } from '../store/files.ts';
import { storedBy } from '../store/stored-bytes.ts';
import { assertQuota, assertRoomFor, bytesOf, type NewFile, thumbnailBytesOf } from './stored-files.ts';
import { attachmentOf } from './attachment.ts';
import { ANY_TYPE, fileType, photoType } from './content-types.ts';
import { Inspector, type Look } from './inspector.ts';
import { safeName } from '../rules/file-names.ts';
import { Readings } from './readings.ts';
import { Removals } from './removals.ts';
import type { FileUrls } from './signatures.ts';
import { Spool } from './spool.ts';
import type { FileStorage } from './storage.ts';

/** How long stored bytes are kept while no row names them. */
const EXPECTED_MS = 86_400_000;
/** How often the service looks for files and bytes to remove. */
const TEND_MS = 60_000;
const DROPPED_AT_ONCE = 200;

interface FilesConfig {
  dataDir: string;
  maxFileBytes: number;
  minFreeBytes: number;
}

export interface FileNeeds {
  config: FilesConfig;
  settings: Settings;
  clock: Clock;
  logger: Logger;
  read: Sql;
  storage: FileStorage;
  urls: FileUrls;
  units: UnitCallers<typeof fileUnits & typeof fileTextUnits>;
}

/** Uploaded files: receives, inspects, stores, finds and removes them. */
export class Files {
  readonly urls: FileUrls;
  readonly storage: FileStorage;
  readonly slots: PacedSlots;
  /** The files as models receive them. */
  readonly readings: Readings;
  /** The files as the search reads them. */
  readonly texts: FileTexts;
  /** For the metrics. */
  readonly counts = { files: 0, bytes: 0 };
  readonly #needs: FileNeeds;
  readonly #spool: Spool;
  readonly #inspector: Inspector;
  readonly #removals: Removals;
  #tendAt = 0;

  constructor(needs: FileNeeds) {
    this.#needs = needs;
    const { config, settings, clock, logger, read, storage, units, urls } = needs;
    const folder = join(config.dataDir, 'files');
    this.urls = urls;
    this.storage = storage;
    this.slots = new PacedSlots({
      perOwner: settings.uploadsAtOnce,
      inAll: settings.uploadsInAll,
      monotonic: () => clock.monotonic(),
    });
    const incoming = join(folder, 'incoming');
    this.#spool = new Spool(incoming, clock, config.minFreeBytes);
    this.#inspector = new Inspector(clock, incoming);
    this.readings = new Readings({ clock, storage, spool: this.#spool, inspector: this.#inspector });
    // A process of its own, so that uploads and models do not wait for the search.
    const background = new Inspector(clock, incoming, { isBackground: true });
    this.texts = new FileTexts({
      clock,
      read,
      reader: new FileReader({ storage, spool: this.#spool, inspector: background }),
      stopReader: () => background.close(),
      units,
      onFault: (error) => logger.warn({ err: error }, 'failed to fetch a file for the search; it is tried again'),
    });
    this.#removals = new Removals({
      read,
      storage: this.storage,
      logger,
      now: () => clock.now(),
      forget: units.forgetRemovals,
    });
  }

  /** Clears incomplete uploads of an earlier process, and continues its removals. */
  async start(): Promise<void> {
    await this.#spool.start();
    this.#removals.sweep();
  }

  /** True if no removal and no upload is in progress. */
  get isIdle(): boolean {
    return this.#removals.isIdle && this.slots.count === 0;
  }

  /** Removes the bytes that no row names. */
  sweep(): void {
    this.#removals.sweep();
  }

  /**
   * Periodic work: removes files that were never sent and bytes whose removal is due (FILE-13), and drops from memory
   * what models were sent.
   */
  async tend(): Promise<void> {
    const { read, units, settings, clock } = this.#needs;
    if (clock.monotonic() < this.#tendAt) return;
    this.#tendAt = clock.monotonic() + TEND_MS;
    this.readings.expire();
    this.sweep();
    const before = dateBefore(clock.now(), settings.unusedFileMs);
    if ((await read.all(unusedBefore, before, 1)).length === 0) return;
    // If the limit was reached, there may be more: continue at the next tick.
    if ((await units.dropUnusedFiles({ before, limit: DROPPED_AT_ONCE })) === DROPPED_AT_ONCE) this.#tendAt = 0;
  }

  async close(): Promise<void> {
    this.#inspector.close();
    await this.texts.close();
    await this.#removals.close();
  }

  /** Receives an upload onto the local disk, inspects it, stores it, and finally writes its row (FILE-2). */
  async upload(caller: Caller, body: FileBody): Promise<UploadedFile> {
    const { clock, config } = this.#needs;
    await this.#assertMayStore(caller, 0);
    const owner = await this.#ownerOf(caller.key);
    const slot = this.#takeSlot(owner);
    const path = this.#spool.newPath();
    const small = `${path}-thumbnail`;
    try {
      await this.#spool.receive(body.bytes, path, config.maxFileBytes, slot);
      const found = await this.#inspector.look(path, small, owner);
      const size = await this.#spool.sizeOf(path);
      await this.#assertMayStore(caller, size);
      const file: NewFile = { id: newIdBytes(clock.now()), name: safeName(body.name), size, ...kindOf(found) };
      const id = idText(file.id);
      await this.#keep(
        file.thumbnail_size > 0 ? { [bytesOf(id)]: path, [thumbnailBytesOf(id)]: small } : { [bytesOf(id)]: path },
      );
      await this.#needs.units.storeFile(file, caller);
      this.counts.files += 1;
      this.counts.bytes += size;
      return attachmentOf(file);
    } catch (error) {
      throw this.#asServiceError(error);
    } finally {
      slot.leave();
      await this.#spool.drop(path, small);
    }
  }

  /** The file, if the account may read it at this moment (FILE-4). */
  find(id: Uint8Array, accountKey: number): Awaitable<FileRow | undefined> {
    return this.#needs.read.get(fileForAccount, id, accountKey);
  }

  /**
   * Stores a square image of a photo under a new name that no row uses yet. Returns its size in bytes, or null if the
   * photo cannot be decoded. See avatars.ts, which uses it.
   */
  async makeSquare(photo: FileRow, name: string, px: number): Promise<number | null> {
    return this.#withBytes(photo, async (path, owner) => {
      const small = `${path}-square`;
      try {
        const found = await this.#inspector.square(path, small, px, owner);
        if (!found?.photo) return null;
        await this.#keep({ [name]: small });
        return found.photo.size;
      } finally {
        await this.#spool.drop(small);
      }
    });
  }

  /** Stores a photo once more, under a new name that no row uses yet; false if it is gone. See emoji.ts, which uses it. */
  async copy(photo: FileRow, name: string): Promise<boolean> {
    const isStored = await this.#withBytes(photo, async (path) => {
      await this.#keep({ [name]: path });
      return true;
    });
    return isStored === true;
  }

  /** Lets `work` use the bytes of a photo on the local disk, in one of its owner's upload slots; null if they are gone. */
  async #withBytes<Value>(
    photo: FileRow,
    work: (path: string, owner: number) => Promise<Value | null>,
  ): Promise<Value | null> {
    const owner = await this.#ownerOf(photo.account_key);
    const slot = this.#takeSlot(owner);
    const path = this.#spool.newPath();
    try {
      const source = await this.storage.read(bytesOf(idText(photo.id)));
      if (!source) return null;
      // Without the slot: only an upload, which a client can make slow, may lose it to another.
      await this.#spool.receive(source, path, photo.size);
      return await work(path, owner);
    } catch (error) {
      throw this.#asServiceError(error);
    } finally {
      slot.leave();
      await this.#spool.drop(path);
    }
  }

  /**
   * Checked before anything is stored; the unit that writes the row checks again, because other uploads may have
   * committed.
   */
  async #assertMayStore({ key }: Caller, size: number): Promise<void> {
    const { clock, read, settings } = this.#needs;
    assertQuota(await read.get(unusedOf, key), size, clock.now(), settings);
    assertRoomFor(await read.get(storedBy, key), size, settings);
  }

  #takeSlot(owner: number): PacedSlot {
    const slot = this.slots.take(owner);
    if (slot === 'own') {
      const { uploadsAtOnce } = this.#needs.settings;
      throw new ServiceError('rate_limited', `at most ${uploadsAtOnce} uploads at once`, { retry_after: 1 });
    }
    if (slot === 'full') throw unavailable('too many files are being uploaded; try again');
    return slot;
  }

  /** The human behind an account. Limits apply per human, because creating bots costs nothing (FILE-3). */
  async #ownerOf(accountKey: number): Promise<number> {
    return (await this.#needs.read.get(accountByKey, accountKey))?.parent_key ?? accountKey;
  }

  /** Stores local files under their names, which are marked for removal until a row uses them (FILE-12). */
  async #keep(files: Readonly<Record<string, string>>): Promise<void> {
    const dueAt = dateAfter(this.#needs.clock.now(), EXPECTED_MS);
    await this.#needs.units.expectBytes({ names: Object.keys(files), dueAt });
    for (const [name, path] of Object.entries(files)) await this.storage.keep(name, path);
  }

  /** Turns storage failures into 503: a full or failing disk is not the caller's fault (FILE-2). */
  #asServiceError(error: unknown): ServiceError {
    if (error instanceof ServiceError) return error;
    this.#needs.logger.error({ err: error }, 'failed to store a file');
    return unavailable('the file cannot be stored now');
  }
}

function kindOf(found: Look | null): Pick<NewFile, 'kind' | 'mime_type' | 'width' | 'height' | 'thumbnail_size'> {
  const type = photoType(found?.mimeType);
  if (type !== undefined && found?.photo) {
    const { width, height, size } = found.photo;
    return { kind: 'photo', mime_type: type, width, height, thumbnail_size: size };
  }
  return {
    kind: 'file',
    mime_type: found ? fileType(found.mimeType) : ANY_TYPE,
    width: null,
    height: null,
    thumbnail_size: 0,
  };
}
