import type { Client } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { BlockedNames } from './blocked-names.ts';

/** A fake service that answers when the test calls `answer`. */
function service(...blocked: string[]) {
  const names = new Set(blocked);
  const waiting: (() => void)[] = [];
  let asked = 0;
  const call = async (name: string, { username = '' }: { username?: string } = {}) => {
    if (name === 'blockUser') return void names.add(username);
    if (name === 'unblockUser') return void names.delete(username);
    asked += 1;
    const items = [...names].map((one) => ({ username: one }));
    await new Promise<void>((resolve) => void waiting.push(resolve));
    return { items };
  };
  // Only `call` is used.
  const client = { call } as unknown as Client;
  return { names: new BlockedNames(client), answer: () => waiting.shift()?.(), asked: () => asked };
}

describe('WEB-19: the list of blocked names', () => {
  it('is requested once at a time, and notifies listeners when it changes', async () => {
    const { names, answer, asked } = service('eve');
    let told = 0;
    names.subscribe(() => (told += 1));
    const loads = [names.load(), names.load()];
    expect([names.get(), asked()]).toEqual([null, 1]);
    answer();
    await Promise.all(loads);
    expect([names.get(), told]).toEqual([new Set(['eve']), 1]);
    const again = names.load();
    answer();
    await again;
    expect([told, asked()]).toEqual([1, 2]);
  });

  it('keeps local changes over the answer to an earlier request', async () => {
    const { names, answer, asked } = service('eve');
    const first = names.load();
    answer();
    await first;
    const late = names.load();
    await names.unblock('eve');
    await names.block('mal');
    expect(names.get()).toEqual(new Set(['mal']));
    answer();
    await expect.poll(asked).toBe(3);
    expect(names.get()).toEqual(new Set(['mal']));
    answer();
    await late;
    expect(names.get()).toEqual(new Set(['mal']));
  });
});
