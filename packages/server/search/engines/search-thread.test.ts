import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@parley/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseQuery } from '../../rules/search-query.ts';
import { CommitPosition } from '../../commits/engines/commit-position.ts';
import { prepareDatabase } from '../../commits/engines/sqlite-start.ts';
import type { SearchRequest } from '../message-search.ts';
import { SearchThread } from './search-thread.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-search-thread-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function started() {
  const clock = new ManualClock();
  const faults: Error[] = [];
  const databaseFile = join(folder, 'parley.db');
  const thread = new SearchThread(
    { databaseFile, indexFile: join(folder, 'search.db'), position: new CommitPosition().buffer, withFiles: true },
    { clock, onTended: () => {}, onFault: (error) => faults.push(error) },
  );
  return { thread, clock, faults, databaseFile };
}

const requestOf = (ownerKey: number): SearchRequest => ({
  accountKey: ownerKey,
  ownerKey,
  query: parseQuery('x'),
  chatKey: 0,
  senderKey: 0,
  has: null,
  before: Number.MAX_SAFE_INTEGER,
  after: 0,
  limit: 10,
});

const refused = { code: 'unavailable' };
const outcomeOf = async (search: Promise<unknown>): Promise<string> =>
  search.then(
    () => 'found',
    (error: { code: string }) => error.code,
  );
const countOf = (outcomes: readonly string[], outcome: string) => outcomes.filter((one) => one === outcome).length;

test('SEARCH-13: at most four searches of an owner wait, and only one once 64 searches wait in all', async () => {
  const { thread, databaseFile } = started();
  prepareDatabase(databaseFile);
  const ofOne = Array.from({ length: 6 }, () => outcomeOf(thread.find(requestOf(1))));
  const ofOthers = Array.from({ length: 200 }, (_, at) => outcomeOf(thread.find(requestOf(2 + (at % 100)))));
  const [first, rest] = [await Promise.all(ofOne), await Promise.all(ofOthers)];
  expect([countOf(first, 'found'), countOf(first, 'unavailable')]).toEqual([1, 5]);
  expect([countOf(rest, 'found'), countOf(rest, 'unavailable')]).toEqual([100, 100]);
  expect(await outcomeOf(thread.find(requestOf(1)))).toBe('found');
  await thread.close();
});

test('SEARCH-15: accounts take turns: another account waits for at most one search of each flooding account', async () => {
  const { thread, databaseFile } = started();
  prepareDatabase(databaseFile);
  const answered: number[] = [];
  const ask = async (account: number) => {
    await thread.find(requestOf(account));
    answered.push(account);
  };
  const floods = [1, 2, 3].flatMap((account) => [account, account, account, account].map(ask));
  await Promise.all([...floods, ask(9)]);
  expect(answered.indexOf(9)).toBeLessThanOrEqual(4);
  expect(answered).toHaveLength(13);
  await thread.close();
});

test('SEARCH-13: a failed search is refused, and its thread restarts after a delay', { tags: ['long'] }, async () => {
  const { thread, clock, faults, databaseFile } = started();
  // The database does not exist yet.
  await expect(thread.find(requestOf(1))).rejects.toMatchObject(refused);
  expect(faults).toHaveLength(1);
  prepareDatabase(databaseFile);
  await expect(thread.find(requestOf(1))).rejects.toMatchObject(refused);
  await expect(thread.tend()).rejects.toMatchObject(refused);
  await clock.advance(10_000);
  expect(await thread.find(requestOf(1))).toEqual({ hits: [], next: null });
  await thread.tend();
  expect(faults).toHaveLength(1);
  await thread.close();
});

test('SEARCH-13: `close` resolves after the waiting searches are answered; later searches are refused', async () => {
  const { thread, databaseFile } = started();
  prepareDatabase(databaseFile);
  const waiting = thread.find(requestOf(1));
  await Promise.all([expect(waiting).resolves.toEqual({ hits: [], next: null }), thread.close()]);
  await expect(thread.find(requestOf(1))).rejects.toMatchObject(refused);
  await thread.close();
});
