import { dateBefore } from '@parley/protocol/dates';
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
import type { PacedSlots } from '../core/paced-slots.ts';
import { invalid, type ServiceError } from '../core/errors.ts';
import { idText } from '../core/ids.ts';
import type { Settings } from '../core/settings.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import { type FileRow, fileForAccount, unusedBefore } from '../store/files.ts';
import { bytesOf, type NewFile } from './stored-files.ts';
import { Inspector } from './inspector.ts';
import { OpenUploads } from './open-uploads.ts';
import type { openUploadUnits } from './open-upload-units.ts';
import { Readings } from './readings.ts';
import { Receiving } from './receiving.ts';
import { Removals } from './removals.ts';
import type { FileUrls } from './signatures.ts';
import { Spool } from './spool.ts';
import { isSvgStart } from './svg-start.ts';
import type { FileStorage } from './storage.ts';

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
  units: UnitCallers<typeof fileUnits & typeof fileTextUnits & typeof openUploadUnits>;
}

/** Uploaded files: receives, inspects, stores, finds and removes them. */
export class Files {
  readonly urls: FileUrls;
  readonly storage: FileStorage;
  /** Uploads that come in several requests. */
  readonly openUploads: OpenUploads;
  /** The files as models receive them. */
  readonly readings: Readings;
  /** The files as the search reads them. */
  readonly texts: FileTexts;
  readonly #needs: FileNeeds;
  readonly #spool: Spool;
  readonly #inspector: Inspector;
  readonly #receiving: Receiving;
  readonly #removals: Removals;
  #tendAt = 0;

  constructor(needs: FileNeeds) {
    this.#needs = needs;
    const { config, settings, clock, logger, read, storage, units, urls } = needs;
    const folder = join(config.dataDir, 'files');
    this.urls = urls;
    this.storage = storage;
    const incoming = join(folder, 'incoming');
    this.#spool = new Spool(incoming, clock, config.minFreeBytes);
    this.#inspector = new Inspector(clock, incoming);
    this.#receiving = new Receiving({
      settings,
      clock,
      logger,
      read,
      storage,
      units,
      spool: this.#spool,
      inspector: this.#inspector,
    });
    this.openUploads = new OpenUploads({
      config,
      settings,
      clock,
      read,
      storage,
      units,
      spool: this.#spool,
      receiving: this.#receiving,
    });
    this.readings = new Readings({ clock, storage, spool: this.#spool, inspector: this.#inspector });
    const background = this.backgroundReader();
    this.texts = new FileTexts({
      clock,
      read,
      reader: background.reader,
      stopReader: background.stop,
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

  /** Reads files in a process of its own, so that uploads and models do not wait for it; `stop` ends the process. */
  backgroundReader(): { reader: FileReader; stop: () => void } {
    const { clock, storage, config } = this.#needs;
    const inspector = new Inspector(clock, join(config.dataDir, 'files', 'incoming'), { isBackground: true });
    return { reader: new FileReader({ storage, spool: this.#spool, inspector }), stop: () => inspector.close() };
  }

  get slots(): PacedSlots {
    return this.#receiving.slots;
  }

  /** For the metrics. */
  get counts(): Readonly<{ files: number; bytes: number }> {
    return this.#receiving.counts;
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
    await this.openUploads.tend();
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
    const { config, units } = this.#needs;
    await this.#receiving.assertMayStore(caller, 0);
    const owner = await this.#receiving.ownerOf(caller.key);
    const slot = this.#receiving.takeSlot(owner);
    const path = this.#spool.newPath();
    try {
      await this.#spool.receive(body.bytes, path, config.maxFileBytes, slot);
      return await this.#receiving.store(
        { path, name: body.name, owner },
        (size) => this.#receiving.assertMayStore(caller, size),
        (file) => units.storeFile(file, caller),
      );
    } catch (error) {
      throw this.#receiving.asServiceError(error);
    } finally {
      slot.leave();
      await this.#spool.drop(path);
    }
  }

  /**
   * Inspects a photo that the service itself has got and stores it as an upload of `author`; `save` commits its row.
   * Throws a ServiceError for anything that is no photo of at most `maxPixels`. See agents/pictures.ts, which uses it.
   */
  keepPhoto(
    author: Caller,
    { bytes, maxPixels }: { bytes: Uint8Array; maxPixels: number },
    save: (file: NewFile) => Promise<unknown>,
  ): Promise<void> {
    const isPhoto = ({ kind, width, height }: NewFile) => kind === 'photo' && (width ?? 0) * (height ?? 0) <= maxPixels;
    return this.keepFile(author, { bytes, name: PHOTO_NAME }, async (file) => {
      if (!isPhoto(file)) throw noPhoto(maxPixels);
      await save({ ...file, name: nameOf(file.mime_type) });
    });
  }

  /**
   * Inspects a file that the service itself has made and stores it as an upload of `author`, as one of a person would be;
   * `save` commits its row. An SVG that is called a PNG is made one (CODE-7). See own-tools/run-code.ts, which uses it.
   */
  async keepFile(
    author: Caller,
    { bytes, name }: { bytes: Uint8Array; name: string },
    save: (file: NewFile) => Promise<unknown>,
  ): Promise<void> {
    const { config } = this.#needs;
    const owner = await this.#receiving.ownerOf(author.key);
    const path = this.#spool.newPath();
    const drawn = `${path}-drawn`;
    try {
      await this.#receiving.assertMayStore(author, bytes.length);
      // Without a slot: nobody slow sends it, and it has cost something already.
      await this.#spool.receive(inOnePiece(bytes), path, config.maxFileBytes);
      const isDrawn = isDrawing({ bytes, name });
      if (isDrawn && !(await this.#inspector.rasterise(path, drawn, DRAWING_PX, owner))?.picture)
        throw invalid('file', 'is an SVG that cannot be drawn');
      await this.#receiving.store(
        { path: isDrawn ? drawn : path, name, owner },
        (size) => this.#receiving.assertMayStore(author, size),
        save,
      );
    } catch (error) {
      throw this.#receiving.asServiceError(error);
    } finally {
      await this.#spool.drop(path, drawn);
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
        await this.#receiving.keep({ [name]: small });
        return found.photo.size;
      } finally {
        await this.#spool.drop(small);
      }
    });
  }

  /** Stores a photo once more, under a new name that no row uses yet; false if it is gone. See emoji.ts, which uses it. */
  async copy(photo: FileRow, name: string): Promise<boolean> {
    const isStored = await this.#withBytes(photo, async (path) => {
      await this.#receiving.keep({ [name]: path });
      return true;
    });
    return isStored === true;
  }

  /** Lets `work` use the bytes of a photo on the local disk, in one of its owner's upload slots; null if they are gone. */
  async #withBytes<Value>(
    photo: FileRow,
    work: (path: string, owner: number) => Promise<Value | null>,
  ): Promise<Value | null> {
    const owner = await this.#receiving.ownerOf(photo.account_key);
    const slot = this.#receiving.takeSlot(owner);
    const path = this.#spool.newPath();
    try {
      const source = await this.storage.read(bytesOf(idText(photo.id)));
      if (!source) return null;
      // Without the slot: only an upload, which a client can make slow, may lose it to another.
      await this.#spool.receive(source, path, photo.size);
      return await work(path, owner);
    } catch (error) {
      throw this.#receiving.asServiceError(error);
    } finally {
      slot.leave();
      await this.#spool.drop(path);
    }
  }
}

/** What a photo without a name of its own is called. */
const PHOTO_NAME = 'picture';
const nameOf = (mimeType: string): string => `${PHOTO_NAME}.${mimeType.replace('image/', '').replace('jpeg', 'jpg')}`;

/** The longer side of a picture that is made of an SVG. */
const DRAWING_PX = 1_600;

const isDrawing = ({ bytes, name }: { bytes: Uint8Array; name: string }): boolean =>
  name.toLowerCase().endsWith('.png') && isSvgStart(Buffer.from(bytes.subarray(0, SVG_START_BYTES)).toString());

/** How much of a file is looked at to recognise an SVG. */
const SVG_START_BYTES = 4_096;

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const noPhoto = (maxPixels: number): ServiceError =>
  invalid('file', `must be a photo (PNG, JPEG, WebP, GIF or AVIF) of at most ${maxPixels / 1_000_000} megapixels`);
