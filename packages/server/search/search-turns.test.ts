import { expect, test } from 'vitest';
import { ServiceError } from '../core/errors.ts';
import { SearchTurns } from './search-turns.ts';

/** Searches that end on request, recorded in the order in which they began. */
function stage(atOnce: number) {
  const turns = new SearchTurns(atOnce);
  const begun: string[] = [];
  const open: (() => void)[] = [];
  const search = (account: number, name: string) =>
    turns.run(account, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => open.push(resolve));
    });
  const endNext = async () => {
    open.shift()?.();
    for (let at = 0; at < 10; at += 1) await Promise.resolve();
  };
  return { turns, begun, search, endNext };
}

test.each([1, 2])(
  'SEARCH-15: three flooding accounts delay another by one search each, with %d at a time',
  async (atOnce) => {
    const { begun, search, endNext } = stage(atOnce);
    const all: Promise<void>[] = [];
    for (const account of [1, 2, 3]) for (const n of [1, 2, 3, 4]) all.push(search(account, `${account}.${n}`));
    all.push(search(9, 'bystander'));
    // A flooding account searches again as soon as it may.
    for (let ended = 0; !begun.includes('bystander'); ended += 1) {
      await endNext();
      all.push(search(1, `1.${ended + 5}`).catch(() => {}));
    }
    expect(begun.length).toBeLessThanOrEqual(atOnce + 4);
    for (let left = 0; left < 40; left += 1) await endNext();
    await Promise.all(all);
  },
);

test('SEARCH-15: the searches of one account run in order, and a failed one frees its slot', async () => {
  const turns = new SearchTurns(1);
  const begun: number[] = [];
  const outcomes = [1, 2, 3].map((n) =>
    turns.run(1, async () => {
      begun.push(n);
      if (n === 2) throw new Error('failed');
      return n;
    }),
  );
  const settled = await Promise.allSettled(outcomes);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(begun).toEqual([1, 2, 3]);
  expect(await turns.run(1, async () => 'again')).toBe('again');
});

test('SEARCH-13: when 16 owners fill all slots, another owner takes over one of theirs', async () => {
  const { begun, search, endNext } = stage(1);
  const outcomes: Promise<string>[] = [];
  const ask = (owner: number, name: string) =>
    outcomes.push(
      search(owner, name).then(
        () => 'found',
        (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
      ),
    );
  for (let owner = 1; owner <= 16; owner += 1) for (let n = 1; n <= 4; n += 1) ask(owner, `${owner}.${n}`);
  ask(17, 'bystander');
  ask(17, 'its second');
  for (let ended = 0; ended < 17; ended += 1) await endNext();
  expect(begun).toContain('bystander');
  for (let left = 0; left < 80; left += 1) await endNext();
  const refused = (await Promise.all(outcomes)).map((outcome, at) => [at, outcome]).filter(([, o]) => o !== 'found');
  // Refused: the newest search of the first owner, and the second search of the new one.
  expect(refused).toEqual([
    [3, 'unavailable'],
    [65, 'unavailable'],
  ]);
});
