import type { Argon2Parameters } from 'node:crypto';
import { expect, test } from 'vitest';
import { Passwords } from './passwords.ts';

test(
  'AUTH-3: a password is stored as argon2id with 46 MiB and its own salt, and verifies',
  { tags: ['long'] },
  async () => {
    const passwords = new Passwords();
    const [one, other] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[\w-]{22}\$[\w-]{43}$/);
    expect(other).not.toBe(one);
    expect(await passwords.verify('correct horse', one)).toBe(true);
    expect(await passwords.verify('correct horsf', one)).toBe(false);
    expect(await passwords.verify('', one)).toBe(false);
  },
);

test('AUTH-3: a password verifies in any Unicode composition', async () => {
  const passwords = new Passwords();
  expect(await passwords.verify('Zoe\u0308 et Rene\u0301', await passwords.hash('Zo\u00eb et Ren\u00e9'))).toBe(true);
});

/** A fake argon2: records its calls, and answers each when the test tells it to. */
function heldDerive() {
  const asked: { parameters: Argon2Parameters; answer: () => void }[] = [];
  const derive = (parameters: Argon2Parameters) =>
    new Promise<Uint8Array>((resolve) => {
      asked.push({ parameters, answer: () => resolve(new Uint8Array(parameters.tagLength)) });
    });
  return { asked, derive };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('AUTH-2: a missing account costs the same work as a wrong password, and never verifies', async () => {
  const { asked, derive } = heldDerive();
  const passwords = new Passwords({ derive });
  const results = Promise.all([
    passwords.verify('a password', `$argon2id$v=19$m=47104,t=1,p=1$${'A'.repeat(22)}$${'B'.repeat(43)}`),
    passwords.verify('a password', null),
  ]);
  await turn();
  const work = asked.map(({ parameters: { memory, passes, parallelism, tagLength, nonce } }) => [
    memory,
    passes,
    parallelism,
    tagLength,
    nonce instanceof Uint8Array && nonce.length,
  ]);
  expect(work[0]).toEqual(work[1]);
  for (const { answer } of asked) answer();
  expect(await results).toEqual([false, false]);
});

test('AUTH-3: of a hundred concurrent passwords two are hashed at a time, in order', async () => {
  const { asked, derive } = heldDerive();
  const passwords = new Passwords({ derive, atOnce: 2, mostWaiting: 98 });
  const done: number[] = [];
  const all = Array.from({ length: 100 }, (_, at) => passwords.hash(`password ${at}`).then(() => done.push(at)));
  for (let answered = 0; answered < 100; answered += 1) {
    await turn();
    expect(asked.length).toBe(Math.min(answered + 2, 100));
    asked[answered]?.answer();
  }
  await Promise.all(all);
  expect(done).toEqual(Array.from({ length: 100 }, (_, at) => at));
});

test('AUTH-3: a full queue answers unavailable, and a failed call frees its slot', async () => {
  const { asked, derive } = heldDerive();
  let fail = true;
  const passwords = new Passwords({
    derive: (parameters) => (fail ? Promise.reject(new Error('out of memory')) : derive(parameters)),
    atOnce: 1,
    mostWaiting: 1,
  });
  await expect(passwords.hash('a')).rejects.toThrow('out of memory');
  fail = false;
  const [first, second] = [passwords.hash('b'), passwords.hash('c')];
  await expect(passwords.hash('d')).rejects.toMatchObject({ code: 'unavailable' });
  for (const place of [0, 1]) {
    await turn();
    asked[place]?.answer();
  }
  await Promise.all([first, second]);
});

test('AUTH-20: the two queues are served in turn, and a full one does not affect the other', async () => {
  const { asked, derive } = heldDerive();
  const passwords = new Passwords({ derive, atOnce: 1, mostWaiting: 3 });
  const done: string[] = [];
  const check = (name: string, queue: 'strangers' | 'known') =>
    passwords.verify('a password', null, queue).then(() => done.push(name));
  const all = ['s1', 's2', 's3', 's4'].map((name) => check(name, 'strangers'));
  await expect(passwords.verify('a password', null)).rejects.toMatchObject({ code: 'unavailable' });
  all.push(...['k1', 'k2'].map((name) => check(name, 'known')));
  for (let answered = 0; answered < all.length; answered += 1) {
    await turn();
    asked[answered]?.answer();
  }
  await Promise.all(all);
  expect(done).toEqual(['s1', 'k1', 's2', 'k2', 's3', 's4']);
});
