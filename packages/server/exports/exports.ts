// exports/: an account's own data as one JSON document, generated during the download: there is no job and no file.
import { Readable } from 'node:stream';
import type { Clock } from '../core/clock.ts';
import { conflict, forbidden, unavailable } from '../core/errors.ts';
import { type PacedSlot, PacedSlots } from '../core/paced-slots.ts';
import type { SecretKey } from '../secrets/seal.ts';
import { type SignedQuery, SignedUrls } from '../secrets/signed-url.ts';
import type { Sql } from '../store/sql.ts';
import { idBytes } from '../core/ids.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import { sessionById } from '../store/sessions.ts';
import { isUuid } from '@parley/protocol';
import { type DocumentNeeds, exportDocument } from './document.ts';

export const EXPORT_PATH = '/exports/my-data.json';
/** Maximum concurrent exports: each reads much of the database, so more would only slow each other down. */
const MAX_AT_ONCE = 4;
/** Maximum time of a download, so that a slow reader does not occupy one of the few slots any longer. */
const PATIENCE_MS = 600_000;

/** `session` is the id of the session that asked for the address, if its token had one. */
export interface ExportQuery extends SignedQuery {
  session?: unknown;
}

interface ExportNeeds {
  clock: Clock;
  read: Sql;
  sign: DocumentNeeds['sign'];
  /** `isDraining`: the service stops. */
  life: { readonly isDraining: boolean };
}

export class Exports {
  readonly #urls: SignedUrls;
  readonly #needs: ExportNeeds;
  readonly #slots: PacedSlots;

  constructor(keys: readonly SecretKey[], needs: ExportNeeds) {
    this.#needs = needs;
    this.#slots = new PacedSlots({ perOwner: 1, inAll: MAX_AT_ONCE, monotonic: () => needs.clock.monotonic() });
    this.#urls = new SignedUrls(keys, 'parley addresses of exports', needs.clock);
  }

  /** Number of downloads in progress. */
  get running(): number {
    return this.#slots.count;
  }

  /** `sessionId` is null for a token without a session. */
  urlFor(accountKey: number, sessionId: string | null): string {
    const query = this.#urls.queryFor(signedText(sessionId), accountKey);
    return `${EXPORT_PATH}?${sessionId === null ? '' : `session=${sessionId}&`}${query}`;
  }

  /** Starts the download for the account that the address names; an account has at most one at a time (EXPORT-4). */
  async open(query: ExportQuery): Promise<{ account: AccountRow; document: Readable }> {
    const sessionId = typeof query.session === 'string' && isUuid(query.session) ? query.session : null;
    const key = this.#urls.accountOf(signedText(sessionId), query);
    const { read, clock, sign, life } = this.#needs;
    const now = () => clock.now();
    const account = key === null ? undefined : await accountInUse(read, key, sessionId, now());
    if (!account) throw forbidden('this address has expired or its signature is wrong');
    if (life.isDraining) throw unavailable('the service is stopping');
    const slot = this.#slots.take(account.key);
    if (slot === 'own') throw conflict('an export of this account is being downloaded already');
    if (slot === 'full') throw unavailable('too many exports at once; try again');
    const assertGoesOn = async () => {
      if (life.isDraining) throw unavailable('the service is stopping');
      if (!(await accountInUse(read, account.key, sessionId, now())))
        throw forbidden('the account or the session that requested this export has ended');
    };
    const pieces = exportDocument({ read, sign, now: now() }, account, assertGoesOn);
    const document = Readable.from(counted(pieces, slot), { objectMode: false });
    slot.giveUp = () => document.destroy(unavailable('others wait to export, and this download is slow; try again'));
    const timer = clock.setTimer(() => document.destroy(unavailable('the export took too long')), PATIENCE_MS);
    document.once('close', () => {
      timer.cancel();
      slot.leave();
    });
    return { account, document };
  }
}

/** The pieces as they are; those that the reader has taken count towards the speed of its slot. */
async function* counted(pieces: AsyncIterable<string>, slot: PacedSlot): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece;
    slot.note(Buffer.byteLength(piece));
  }
}

/**
 * The text that is signed: it binds an address to the session that requested it, and the address ends with the session
 * (EXPORT-1).
 */
const signedText = (sessionId: string | null): string => `${EXPORT_PATH} ${sessionId ?? ''}`;

async function accountInUse(
  read: Sql,
  key: number,
  sessionId: string | null,
  now: number,
): Promise<AccountRow | undefined> {
  const session = sessionId === null ? null : await read.get(sessionById, idBytes(sessionId));
  if (session === undefined || (session && session.expires_at <= now)) return undefined;
  const account = await read.get(accountByKey, key);
  return account && account.deleted_at === null && account.disabled_at === null ? account : undefined;
}
