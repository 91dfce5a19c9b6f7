import type { Intent } from '@parley/server/commits/effects.ts';
import type { Sql } from '@parley/server/store/sql.ts';
import { expect, test } from 'vitest';
import { endSessions } from './end-sessions.ts';

test('AUTH-13, NOTIF-7: ending a thousand sessions takes as many statements as ending one', async () => {
  const keys = Array.from({ length: 1_000 }, (_, at) => at + 1);
  const given: unknown[] = [];
  const tx = {
    list: (_statement: unknown, values: unknown) => (given.push(values), []),
    run: (_statement: unknown, value: unknown) => (given.push(value), 0),
  } as unknown as Sql; // endSessions uses nothing else
  const intents: Intent[] = [];
  await endSessions({ tx, intend: (intent) => void intents.push(intent) }, keys);
  expect(given).toEqual([keys, keys, keys, keys, keys]);
  expect(intents).toEqual([{ type: 'closeSessions', sessionKeys: keys }]);
});
