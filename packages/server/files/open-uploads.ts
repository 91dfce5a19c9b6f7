import { randomBytes } from 'node:crypto';
import { dateAfter, dateBefore } from '@parley/protocol/dates';
import type { UploadedFile } from '@parley/protocol';
import type { Caller } from '../access/call.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Clock } from '../core/clock.ts';
import { conflict, notFound, ServiceError } from '../core/errors.ts';
import { idBytes, idText, newIdBytes } from '../core/ids.ts';
import type { Settings } from '../core/settings.ts';
import { safeName } from '../rules/file-names.ts';
import { fileForAccount } from '../store/files.ts';
import { openUpload, type OpenUploadRow, openUploadsBefore } from '../store/open-uploads.ts';
import type { Sql } from '../store/sql.ts';
import { attachmentOf } from './attachment.ts';
import { MAX_PARTS, type openUploadUnits, partName, partsOf } from './open-upload-units.ts';
import type { Receiving } from './receiving.ts';
import type { Spool } from './spool.ts';
import type { FileStorage } from './storage.ts';

/** Maximum bytes of a part, and so what a client sends again after its node was killed. */
const PART_BYTES = 8 * 1024 * 1024;

interface OpenUploadNeeds {
  config: { maxFileBytes: number; minFreeBytes: number };
  settings: Settings;
  clock: Clock;
  read: Sql;
  storage: FileStorage;
  spool: Spool;
  receiving: Receiving;
  units: UnitCallers<typeof openUploadUnits>;
}

/** How far an upload is. */
export interface UploadProgress {
  size: number;
  received: number;
  expiresAt: number;
}

/** The body of a request. */
interface UploadBody {
  offset: number;
  bytes: AsyncIterable<Uint8Array>;
  /** As the client has declared it. */
  length: number | null;
  /** Resolves if the caller still may upload. */
  whenWhole: () => Promise<void>;
}

/** A request whose body is being received. */
interface Running {
  cut: (error: unknown) => void;
  done: Promise<unknown>;
}

/**
 * Uploads that come in several requests (FILE-32). What has arrived is stored in parts, in the storage that all nodes
 * share, so an upload continues after a lost connection, a restart, and on another node. The parts become a file once
 * all are there. Until then their names stay on the list of removals (FILE-12): nothing has to clean up after a crash.
 */
export class OpenUploads {
  readonly #needs: OpenUploadNeeds;
  /** The requests whose bodies this node receives, by the upload's id: at most one each. */
  readonly #running = new Map<string, Running>();
  /** The uploads that this node turns into files, by id. */
  readonly #ending = new Map<string, Promise<UploadedFile>>();

  constructor(needs: OpenUploadNeeds) {
    this.#needs = needs;
  }

  /** Maximum size of a file at the moment: what the service allows, or less if the disk has less room. */
  async largest(): Promise<number> {
    const { config, spool } = this.#needs;
    return Math.min(config.maxFileBytes, await spool.room());
  }

  /** Begins an upload; returns its id. */
  async begin(caller: Caller, { name, size }: { name: string; size: number }): Promise<string> {
    const { config, clock, spool, units } = this.#needs;
    const { maxFileBytes } = config;
    if (size > maxFileBytes)
      throw new ServiceError('too_large', `the file is larger than ${maxFileBytes} bytes`, { field: 'file' });
    await spool.assertRoom(size);
    const id = idText(newIdBytes(clock.now()));
    await units.beginUpload({ id, name: safeName(name), size }, caller);
    return id;
  }

  /** How far the caller's upload is. Ends a request that still sends to it: its connection may be dead. */
  async progress(caller: Caller, id: string): Promise<UploadProgress> {
    await this.#find(caller, id);
    await this.#stopRunning(id);
    const { size, received, created_at: createdAt } = await this.#find(caller, id);
    return { size, received, expiresAt: this.#expiryOf(createdAt) };
  }

  /** Appends a body to the caller's upload, at exactly its offset, and makes the file once it is complete. */
  async append(caller: Caller, id: string, { offset, bytes, length, whenWhole }: UploadBody): Promise<UploadProgress> {
    const { receiving } = this.#needs;
    await this.#find(caller, id);
    await this.#stopRunning(id);
    const upload = await this.#find(caller, id);
    if (offset !== upload.received) throw wrongOffset(upload.received);
    const room = upload.size - offset;
    if (length !== null && length > room) throw tooLong(upload.size);
    if (upload.parts.split(' ').length > MAX_PARTS) throw conflict(`the upload has more than ${MAX_PARTS} parts`);
    const owner = await receiving.ownerOf(caller.key);
    const slot = receiving.takeSlot(owner);
    try {
      const cut = Promise.withResolvers<never>();
      cut.promise.catch(() => {});
      const received = this.#receive(caller, upload, { bytes, slot, cut: cut.promise });
      const running: Running = { cut: cut.reject, done: received.catch(() => {}) };
      this.#running.set(id, running);
      const end = await received.finally(() => this.#running.get(id) === running && this.#running.delete(id));
      await whenWhole();
      if (end === upload.size) await this.#end(caller, id);
      return { size: upload.size, received: end, expiresAt: this.#expiryOf(upload.created_at) };
    } catch (error) {
      throw receiving.asServiceError(error);
    } finally {
      slot.leave();
    }
  }

  /** The file that the caller's upload became; 409 while bytes are missing. */
  async result(caller: Caller, id: string): Promise<UploadedFile> {
    const { receiving } = this.#needs;
    const { received, size, file_id: fileId } = await this.#find(caller, id);
    if (received < size) throw conflict('the upload is not complete', { offset: received });
    if (fileId) return this.#fileOf(caller, fileId);
    // The request with the last bytes failed, or an upload without bytes had none.
    const slot = receiving.takeSlot(await receiving.ownerOf(caller.key));
    return this.#end(caller, id).finally(() => slot.leave());
  }

  /** Ends the caller's upload, and removes what has arrived of it. */
  async cancel(caller: Caller, id: string): Promise<void> {
    await this.#find(caller, id);
    await this.#stopRunning(id);
    if (!(await this.#needs.units.endUpload({ id }, caller))) throw notFound('upload');
  }

  /** Removes uploads that were begun too long ago. */
  async tend(): Promise<void> {
    const { clock, read, settings, units } = this.#needs;
    const before = dateBefore(clock.now(), settings.unusedFileMs);
    if (await read.get(openUploadsBefore, before)) await units.expireUploads({ before });
  }

  #expiryOf(createdAt: number): number {
    return dateAfter(createdAt, this.#needs.settings.unusedFileMs);
  }

  async #find({ key }: Caller, id: string): Promise<OpenUploadRow> {
    const { clock, read, settings } = this.#needs;
    const upload = await read.get(openUpload, idBytes(id), key, dateBefore(clock.now(), settings.unusedFileMs));
    if (!upload) throw notFound('upload');
    return upload;
  }

  async #stopRunning(id: string): Promise<void> {
    const running = this.#running.get(id);
    running?.cut(conflict('another request continues this upload'));
    await running?.done;
  }

  /** Stores what arrives, part after part; also the last part of a body that breaks off. Returns the new offset. */
  async #receive(
    caller: Caller,
    upload: OpenUploadRow,
    {
      bytes,
      slot,
      cut,
    }: { bytes: AsyncIterable<Uint8Array>; slot: ReturnType<Receiving['takeSlot']>; cut: Promise<never> },
  ): Promise<number> {
    const { spool, receiving, units } = this.#needs;
    const id = idText(upload.id);
    const source = bytes[Symbol.asyncIterator]();
    let offset = upload.received;
    for (;;) {
      const path = spool.newPath();
      try {
        const most = upload.size - offset;
        const { size, end } = await spool.receivePart(source, path, { most, enough: PART_BYTES, slot, cut });
        if (size > 0) {
          const part = randomBytes(8).toString('hex');
          await receiving.keep({ [partName(id, part)]: path }, this.#expiryOf(upload.created_at));
          const next = { id, offset, received: offset + size, part };
          if (!(await units.appendPart(next, caller))) throw wrongOffset((await this.#find(caller, id)).received);
          offset += size;
        }
        if (end === 'too long') throw tooLong(upload.size);
        if (end === 'over') return offset;
        if (end !== 'enough') throw end.error;
      } finally {
        await spool.drop(path);
      }
    }
  }

  /** Makes the file of an upload of which all bytes are there; once on this node, however often it is asked for. */
  #end(caller: Caller, id: string): Promise<UploadedFile> {
    const known = this.#ending.get(id);
    if (known) return known;
    const ending = this.#makeFile(caller, id).finally(() => this.#ending.delete(id));
    this.#ending.set(id, ending);
    return ending;
  }

  async #makeFile(caller: Caller, id: string): Promise<UploadedFile> {
    const { receiving, spool, units } = this.#needs;
    const upload = await this.#find(caller, id);
    if (upload.file_id) return this.#fileOf(caller, upload.file_id);
    const path = spool.newPath();
    let isOurs = true;
    try {
      await spool.receive(this.#bytesOf(upload), path, upload.size);
      const owner = await receiving.ownerOf(caller.key);
      const made = await receiving.store(
        { path, name: upload.name, owner },
        // The upload counts already; the unit checks the size that the inspected file has.
        async () => {},
        async (file) => (isOurs = await units.finishUpload({ id, file }, caller)),
      );
      if (isOurs) return made;
    } catch (error) {
      throw receiving.asServiceError(error);
    } finally {
      await spool.drop(path);
    }
    // Another node was faster: the bytes of this one are removed when they are due.
    const { file_id: fileId } = await this.#find(caller, id);
    if (!fileId) throw notFound('upload');
    return this.#fileOf(caller, fileId);
  }

  async *#bytesOf(upload: OpenUploadRow): AsyncGenerator<Uint8Array> {
    for (const name of partsOf(upload)) {
      const part = await this.#needs.storage.read(name);
      if (!part) throw new Error(`the part ${name} of an upload is missing`);
      yield* part as AsyncIterable<Uint8Array>; // a stream of bytes
    }
  }

  async #fileOf({ key }: Caller, fileId: Uint8Array): Promise<UploadedFile> {
    const file = await this.#needs.read.get(fileForAccount, fileId, key);
    if (!file) throw notFound('file');
    return attachmentOf(file);
  }
}

const wrongOffset = (offset: number) => conflict(`the upload continues at ${offset}`, { offset });
const tooLong = (size: number) =>
  new ServiceError('too_large', `the upload was declared with ${size} bytes`, { field: 'file' });
