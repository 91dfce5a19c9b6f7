import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backendUsername } from './backend-usernames.ts';
import { isReservedName } from './reserved-names.ts';

test.each([
  ['user-42', 'user_42'],
  ['Ann@shop.example', 'ann'],
  ['auth0|5f7c_8', 'auth0_5f7c_8'],
  ['Zoë Müller', 'zoe_muller'],
  ['山田', 'user'],
  ['@ann', 'user'],
  ['parley', 'user'],
  ['my.parley-bot', 'user'],
  ['a'.repeat(60), 'a'.repeat(32)],
])('TOKEN-3: the user %j is named %j', (externalId, username) => {
  expect(backendUsername(externalId)).toBe(username);
});

test('TOKEN-3: every id gives a valid username, also with the suffix of a taken one, and never a reserved one', () => {
  const ids = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant('parley'));
  fc.assert(
    fc.property(ids, (externalId) => {
      for (const name of [backendUsername(externalId), backendUsername(externalId, '0123abcd')]) {
        expect(name).toMatch(/^[a-z0-9_]{1,32}$/);
        expect(isReservedName(name)).toBe(false);
      }
    }),
  );
});
