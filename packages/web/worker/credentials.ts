// The session token in IndexedDB: the worker needs it to register a new subscription while no page is open. Workers
// have no localStorage.
const [DATABASE, TABLE, KEY] = ['parley-worker', 'worker', 'credentials'];

interface Credentials {
  url: string;
  token: string;
  /** The language of the app; absent if an older build has kept the rest. */
  locale?: string;
}

export const keepCredentials = (credentials: Credentials): Promise<unknown> =>
  inTable('readwrite', (table) => table.put(credentials, KEY));

export const forgetCredentials = (): Promise<unknown> => inTable('readwrite', (table) => table.delete(KEY));

export async function readCredentials(): Promise<Credentials | null> {
  const kept = await inTable('readonly', (table) => table.get(KEY));
  // Only `keepCredentials` writes it.
  return (kept as Credentials | undefined) ?? null;
}

async function inTable(mode: IDBTransactionMode, work: (table: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(TABLE));
  await ended(opening, 'success', 'error');
  const database = opening.result;
  try {
    const transaction = database.transaction(TABLE, mode);
    const request = work(transaction.objectStore(TABLE));
    await ended(transaction, 'complete', 'abort');
    return request.result;
  } finally {
    database.close();
  }
}

function ended(what: IDBRequest | IDBTransaction, good: string, bad: string): Promise<void> {
  return new Promise((resolve, reject) => {
    what.addEventListener(good, () => resolve(), { once: true });
    what.addEventListener(bad, () => reject(what.error ?? new Error('IndexedDB failed')), { once: true });
  });
}
