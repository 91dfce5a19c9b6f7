import { dateAfter } from '@parley/protocol/dates';
import type { UploadedFile } from '@parley/protocol';
import type { Logger } from 'pino';
import type { Caller } from '../access/call.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Clock } from '../core/clock.ts';
import { ServiceError, unavailable } from '../core/errors.ts';
import { idText, newIdBytes } from '../core/ids.ts';
import { type PacedSlot, PacedSlots } from '../core/paced-slots.ts';
import type { Settings } from '../core/settings.ts';
import { safeName } from '../rules/file-names.ts';
import { accountByKey } from '../store/accounts.ts';
import { unusedOf } from '../store/files.ts';
import type { Sql } from '../store/sql.ts';
import { storedBy } from '../store/stored-bytes.ts';
import { attachmentOf } from './attachment.ts';
import { ANY_TYPE, fileType, photoType } from './content-types.ts';
import type { Inspector, Look } from './inspector.ts';
import type { Spool } from './spool.ts';
import type { FileStorage } from './storage.ts';
import { assertQuota, assertRoomFor, bytesOf, type fileUnits, type NewFile, thumbnailBytesOf } from './stored-files.ts';

/** How long stored bytes are kept while no row names them. */
const EXPECTED_MS = 86_400_000;

interface ReceivingNeeds {
  settings: Settings;
  clock: Clock;
  logger: Logger;
  read: Sql;
  storage: FileStorage;
  spool: Spool;
  inspector: Inspector;
  units: UnitCallers<Pick<typeof fileUnits, 'expectBytes'>>;
}

/** The steps between the bytes that a person sends and a stored file. */
export class Receiving {
  readonly slots: PacedSlots;
  /** For the metrics. */
  readonly counts = { files: 0, bytes: 0 };
  readonly #needs: ReceivingNeeds;

  constructor(needs: ReceivingNeeds) {
    this.#needs = needs;
    const { settings, clock } = needs;
    this.slots = new PacedSlots({
      perOwner: settings.uploadsAtOnce,
      inAll: settings.uploadsInAll,
      monotonic: () => clock.monotonic(),
    });
  }

  /**
   * Checked before anything is stored; the unit that writes the row checks again, because other uploads may have
   * committed.
   */
  async assertMayStore({ key }: Caller, size: number): Promise<void> {
    const { clock, read, settings } = this.#needs;
    assertQuota(await read.get(unusedOf, key), size, clock.now(), settings);
    assertRoomFor(await read.get(storedBy, key), size, settings);
  }

  takeSlot(owner: number): PacedSlot {
    const slot = this.slots.take(owner);
    if (slot === 'own') {
      const { uploadsAtOnce } = this.#needs.settings;
      throw new ServiceError('rate_limited', `at most ${uploadsAtOnce} uploads at once`, { retry_after: 1 });
    }
    if (slot === 'full') throw unavailable('too many files are being uploaded; try again');
    return slot;
  }

  /** The human behind an account. Limits apply per human, because creating bots costs nothing (FILE-3). */
  async ownerOf(accountKey: number): Promise<number> {
    return (await this.#needs.read.get(accountByKey, accountKey))?.parent_key ?? accountKey;
  }

  /** Stores local files under their names, which are marked for removal until a row uses them (FILE-12). */
  async keep(
    files: Readonly<Record<string, string>>,
    dueAt = dateAfter(this.#needs.clock.now(), EXPECTED_MS),
  ): Promise<void> {
    const { units, storage } = this.#needs;
    await units.expectBytes({ names: Object.keys(files), dueAt });
    for (const [name, path] of Object.entries(files)) await storage.keep(name, path);
  }

  /** Inspects and stores a file that has arrived whole; `save` commits its row. */
  async store(
    { path, name, owner }: { path: string; name: string; owner: number },
    assertMayStore: (size: number) => Promise<void>,
    save: (file: NewFile) => Promise<unknown>,
  ): Promise<UploadedFile> {
    const { clock, inspector, spool } = this.#needs;
    const small = `${path}-thumbnail`;
    try {
      const found = await inspector.look(path, small, owner);
      // Of its own, so that its memory is watched; without it the file is stored all the same.
      const drawn = found?.drawable ? await inspector.draw(path, small, found.drawable, owner) : null;
      const size = await spool.sizeOf(path);
      await assertMayStore(size);
      const file: NewFile = { id: newIdBytes(clock.now()), name: safeName(name), size, ...kindOf(found, drawn) };
      const id = idText(file.id);
      await this.keep(
        file.thumbnail_size > 0 ? { [bytesOf(id)]: path, [thumbnailBytesOf(id)]: small } : { [bytesOf(id)]: path },
      );
      await save(file);
      this.counts.files += 1;
      this.counts.bytes += size;
      return attachmentOf(file);
    } finally {
      await spool.drop(path, small);
    }
  }

  /** Turns storage failures into 503: a full or failing disk is not the caller's fault (FILE-2). */
  asServiceError(error: unknown): ServiceError {
    if (error instanceof ServiceError) return error;
    this.#needs.logger.error({ err: error }, 'failed to store a file');
    return unavailable('the file cannot be stored now');
  }
}

type Kind = Pick<NewFile, 'kind' | 'mime_type' | 'width' | 'height' | 'thumbnail_size'>;

function kindOf(found: Look | null, drawn: Look | null): Kind {
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
    thumbnail_size: drawn?.picture?.size ?? 0,
  };
}
