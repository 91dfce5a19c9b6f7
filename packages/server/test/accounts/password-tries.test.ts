import { Actor, createWorld, ManualClock } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';

const password = 'correct horse battery staple';
const refused = (status: number) => ({ status });

embeddedTest('several nodes take their rates from the clock of Redis')(
  'PEOPLE-7, LIMIT-2: password attempts by changePassword and deleteAccount count like those by signIn',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, env: { RATE_LIMITS: '1' } });
    const { api } = await world.member('nora');
    const wrong = { old_password: 'wrong', new_password: 'whatever it is' };
    for (let times = 0; times < 2; times += 1) {
      await expect(api.changePassword(wrong)).rejects.toMatchObject(refused(403));
      await expect(api.deleteAccount({ password: 'wrong' })).rejects.toMatchObject(refused(403));
    }
    const visitor = new Actor(world, '', '');
    await expect(visitor.api.signIn({ username: 'nora', password: 'wrong' })).rejects.toMatchObject(refused(401));
    await expect(api.changePassword(wrong)).rejects.toMatchObject(refused(429));
    await expect(api.deleteAccount({ password: 'wrong' })).rejects.toMatchObject(refused(429));
    await clock.advance(12_000);
    await api.deleteAccount({ password });
  },
);
