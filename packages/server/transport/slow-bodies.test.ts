import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { createWorld, ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { ALICE, expectError, JSON_TYPE, RawConnection } from '../test/raw-http.ts';
import { SlowBodies } from './slow-bodies.ts';

test('FILE-3: a body that is no file is given up after two minutes', async () => {
  const clock = new ManualClock();
  const given: IncomingMessage[] = [];
  const slow = new SlowBodies(clock, (request) => given.push(request));
  const [late, there, cut, later] = Array.from({ length: 4 }, () => new IncomingMessage(new Socket()));
  if (!late || !there || !cut || !later) throw new Error('four were asked for');
  for (const request of [late, there, cut]) slow.begin(request);
  slow.end(there);
  cut.destroy();
  await clock.advance(60_000);
  slow.begin(later);
  await clock.advance(59_999);
  expect(given).toEqual([]);
  await clock.advance(1);
  expect(given).toEqual([late]);
  await clock.advance(600_000);
  expect(given).toEqual([late, later]);
  // Nothing waits where nothing comes.
  expect(clock.pendingTimers).toBe(0);
  slow.begin(late);
  slow.close();
  expect(clock.pendingTimers).toBe(0);
});

test('FILE-3: … and answered', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  await world.person('alice');
  const connection = new RawConnection(world.url);
  connection.write(
    `POST /api/getMe HTTP/1.1\r\n${ALICE}${JSON_TYPE}expect: 100-continue\r\ncontent-length: 20\r\n\r\n{`,
  );
  await connection.continued();
  await clock.advance(130_000);
  expectError(await connection.reply(), 400);
  await connection.closed();
});
