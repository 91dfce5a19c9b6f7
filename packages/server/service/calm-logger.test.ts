import { ManualClock } from '@parley/testing';
import pino from 'pino';
import { expect, test } from 'vitest';
import { calmLogger } from './calm-logger.ts';
import { unavailable } from '../core/errors.ts';
import { ConnectionLost } from '../store/engines/connection-lost.ts';

function stage() {
  const clock = new ManualClock();
  const lines: { msg: string; unsaid?: number }[] = [];
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const said = () => lines.splice(0).map(({ msg, unsaid }) => (unsaid === undefined ? msg : `${msg} +${unsaid}`));
  return { clock, logger: calmLogger(logger, clock), said };
}

test('OPS-6: during an outage each error text is logged once, then every 10 s with its count', async () => {
  const { clock, logger, said } = stage();
  const lost = new ConnectionLost(new Error('read ECONNRESET'));
  for (let at = 0; at < 500; at += 1) {
    logger.error({ err: lost }, 'the store has trouble');
    logger.error({ err: unavailable('the database cannot be reached') }, 'housekeeping failed');
    logger.error({ fault: `${lost.stack}` }, 'a unit of work failed');
    await clock.advance(50);
  }
  expect(said()).toEqual([
    'the store has trouble',
    'housekeeping failed',
    'a unit of work failed',
    ...[1, 2].flatMap(() => ['the store has trouble +199', 'housekeeping failed +199', 'a unit of work failed +199']),
  ]);
  await clock.advance(60_000);
  logger.error({ err: lost }, 'the store has trouble');
  expect(said()).toEqual(['the store has trouble +99']);
});

test('OPS-6: other errors are logged every time', () => {
  const { logger, said } = stage();
  for (let at = 0; at < 3; at += 1) {
    logger.error({ err: new Error('a fault') }, 'housekeeping failed');
    logger.warn({ err: unavailable('away') }, 'a warning');
    logger.error({ fault: 'TypeError: not a function' }, 'a unit of work failed');
  }
  expect(said()).toHaveLength(9);
});
