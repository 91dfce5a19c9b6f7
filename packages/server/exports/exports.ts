// exports/: everything that is an account's own as one JSON document, made while it is downloaded: no job, no file.
import { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import { conflict, forbidden, unavailable } from '../errors.ts';
import type { SecretKey } from '../secrets/seal.ts';
import { type SignedQuery, SignedUrls } from '../secrets/signed-url.ts';
import type { Service } from '../service.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import { exportDocument } from './document.ts';

export const EXPORT_PATH = '/exports/my-data.json';
/** Each reads much of the database: more of them at once would only take turns. */
const MOST_AT_ONCE = 4;
/** Who reads slower than this takes a place from others. */
const PATIENCE_MS = 600_000;

export class Exports {
  readonly #urls: SignedUrls;
  readonly #clock: Clock;
  readonly #running = new Set<number>();

  constructor(keys: readonly SecretKey[], clock: Clock) {
    this.#clock = clock;
    this.#urls = new SignedUrls(keys, 'parley addresses of exports', clock);
  }

  /** How many are being downloaded. */
  get running(): number {
    return this.#running.size;
  }

  urlFor(accountKey: number): string {
    return this.#urls.sign(EXPORT_PATH, accountKey);
  }

  /** Begins the download of whoever the address is for; one at a time (EXPORT-4). */
  async open(service: Service, query: SignedQuery): Promise<{ account: AccountRow; document: Readable }> {
    const key = this.#urls.accountOf(EXPORT_PATH, query);
    const account = key === null ? undefined : await accountInUse(service, key);
    if (!account) throw forbidden('this address has expired, or is none of ours');
    if (service.isDraining) throw unavailable('the service is stopping');
    if (this.#running.has(account.key)) throw conflict('an export of this account is being downloaded already');
    if (this.#running.size >= MOST_AT_ONCE) throw unavailable('too many exports at once; try again');
    this.#running.add(account.key);
    const assertGoesOn = async () => {
      if (service.isDraining) throw unavailable('the service is stopping');
      if (!(await accountInUse(service, account.key))) throw forbidden('this account is no longer in use');
    };
    const document = Readable.from(exportDocument(service, account, assertGoesOn), { objectMode: false });
    const timer = this.#clock.setTimer(() => document.destroy(unavailable('the export took too long')), PATIENCE_MS);
    document.once('close', () => {
      timer.cancel();
      this.#running.delete(account.key);
    });
    return { account, document };
  }
}

async function accountInUse({ read }: Pick<Service, 'read'>, key: number): Promise<AccountRow | undefined> {
  const account = await read.get(accountByKey, key);
  return account && account.deleted_at === null && account.disabled_at === null ? account : undefined;
}
