import { expect, test } from 'vitest';
import { ProgramIds } from './program-ids.ts';

const keyOf = (id: string, byte: number) => ({ id, bytes: new Uint8Array(32).fill(byte) });
const [old, current] = [keyOf('old', 1), keyOf('current', 2)];
const program = { name: 'A program', redirects: ['https://program.example/back'] };
const DAY = 86_400_000;

test('MCPS-13: the id of a program is good for 90 days, under every key, and nothing in it can be changed', () => {
  const ids = new ProgramIds([current, old]);
  const id = ids.make(program, DAY) ?? '';
  expect(ids.read(id, DAY)).toEqual(program);
  expect(ids.read(id, 91 * DAY - 1)).toEqual(program);
  expect(ids.read(id, 91 * DAY)).toBeNull();
  expect(ids.read(new ProgramIds([old]).make(program, DAY) ?? '', DAY)).toEqual(program);
  expect(new ProgramIds([old]).read(id, DAY)).toBeNull();
  for (let at = 0; at < id.length; at += 1) {
    const changed = id.slice(0, at) + (id[at] === 'A' ? 'B' : 'A') + id.slice(at + 1);
    expect([at, ids.read(changed, DAY)]).toEqual([at, null]);
  }
  for (const other of ['', `${id}x`, `${id}.x`, id.slice(0, -1), 'pc_.', 'https://program.example/'])
    expect([other, ids.read(other, DAY)]).toEqual([other, null]);
});
