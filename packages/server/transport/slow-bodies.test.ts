import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { createWorld, ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { ALICE, expectError, JSON_TYPE, RawConnection } from '../test/helpers/raw-http.ts';
import { SlowBodies } from './slow-bodies.ts';

test('FILE-3, LIMIT-21: a body times out 10 s after it began, or after two minutes if its sender has authenticated', async () => {
  const clock = new ManualClock();
  const given: IncomingMessage[] = [];
  const slow = new SlowBodies(clock);
  const [open, late, there, cut, later] = Array.from({ length: 5 }, () => new IncomingMessage(new Socket()));
  if (!open || !late || !there || !cut || !later) throw new Error('five were asked for');
  const begin = (request: IncomingMessage) => slow.begin(request, () => given.push(request));
  for (const request of [open, late, there, cut]) begin(request);
  for (const request of [late, there, cut]) slow.authenticated(request);
  slow.end(there);
  cut.destroy();
  await clock.advance(9_999);
  expect(given).toEqual([]);
  await clock.advance(1);
  expect(given).toEqual([open]);
  await clock.advance(50_000);
  begin(later);
  slow.authenticated(later);
  await clock.advance(59_999);
  expect(given).toEqual([open]);
  await clock.advance(1);
  expect(given).toEqual([open, late]);
  await clock.advance(600_000);
  expect(given).toEqual([open, late, later]);
  // No timer runs while no body is being received.
  expect(clock.pendingTimers).toBe(0);
  begin(late);
  slow.close();
  expect(clock.pendingTimers).toBe(0);
});

test('FILE-3: a body that timed out is answered with 400', async () => {
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
