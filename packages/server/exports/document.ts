import { renderJson } from '../core/json.ts';
import type { Sql } from '../store/sql.ts';
import { Slice } from '../core/slices.ts';
import { ownAccountRecord } from '../rendering/accounts.ts';
import type { AccountRow } from '../store/accounts.ts';
import { sections } from './sections.ts';

/** Minimum characters gathered before a chunk is sent. */
const CHUNK_CHARACTERS = 64 * 1024;

export interface DocumentNeeds {
  read: Sql;
  /** Signs the file URLs in JSON text for one reader (FILE-5). */
  sign: (text: string, accountKey: number) => string;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * The document in chunks, each made when the reader has consumed the previous one, so that only one page is in memory
 * (EXPORT-5). `assertGoesOn` throws if the export must stop.
 */
export async function* exportDocument(
  { read, sign, now }: DocumentNeeds,
  account: AccountRow,
  assertGoesOn: () => Promise<void>,
): AsyncGenerator<string, void> {
  const slice = new Slice();
  let text = `{"exported_at":"${new Date(now).toISOString()}","account":${JSON.stringify(ownAccountRecord(account))}`;
  for (const [name, pages] of Object.entries(sections(read, account, now))) {
    text += `,"${name}":[`;
    let isFirst = true;
    for await (const page of pages) {
      for (const item of page) {
        text += `${isFirst ? '' : ','}${sign(renderJson(item), account.key)}`;
        isFirst = false;
      }
      if (text.length >= CHUNK_CHARACTERS) {
        yield text;
        text = '';
      }
      await slice.pause();
      await assertGoesOn();
    }
    text += ']';
  }
  yield `${text}}`;
}
