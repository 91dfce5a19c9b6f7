import { runsOf } from '../depth.ts';
import type { Effect, LoggedEvent } from '@parley/server/commits/effects.ts';
import { conflict } from '@parley/server/core/errors.ts';
import { chatScope } from '@parley/server/core/event-kinds.ts';
import type { UnitHandler } from '@parley/server/commits/unit-context.ts';
import { setDisabled } from '@parley/server/store/accounts.ts';
import { type Awaitable, type Sql, statement } from '@parley/server/store/sql.ts';
import { theService } from '@parley/server/calls/unit-queue.ts';
import type { Batch, UnitOutcome, UnitRequest } from '@parley/server/commits/unit-runner.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';

export interface UnitsUnderTest {
  /** Runs these units together as one batch. */
  run(requests: UnitRequest[]): Promise<Batch>;
  /** Reads what is stored, as other connections see it. */
  read: Sql;
  /** Sets the number of transient events that wait for numbers. */
  want(count: number): void;
  /** Takes a number for a transient event. */
  takeTransient(): Awaitable<number>;
  /** Makes the store run out of space. */
  fillDisk(): Awaitable<void>;
  freeDisk(): Awaitable<void>;
  failCommits(isFailing: boolean): Awaitable<void>;
  /** Closes the engine and opens it again on the same data, with a sequence created as on a start. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

interface Work {
  /** Rows to write, by name. */
  rows?: readonly string[];
  /** Events to emit, by their params; each is followed by an intent. */
  events?: readonly string[];
  fail?: 'refused' | 'broken' | 'constraint' | undefined;
  answer?: unknown;
  /** Accounts that the unit disables, or enables again. */
  shutOut?: readonly number[];
  letIn?: readonly number[];
}

const scope = chatScope(7);
const put = statement<never, [name: string, value: string]>('INSERT INTO meta (name, value) VALUES ($1, $2)');
const putAccount = statement<never, [key: number, username: string]>(
  `INSERT INTO accounts (key, username, kind, display_name, search_name, created_at) VALUES ($1, $2, 'human', '', '', 0)`,
);
const namesOf = statement<{ name: string }>("SELECT name FROM meta WHERE value = 'row' ORDER BY name");
const eventsStored = statement<{ seq: number; scope: number; params: string }>(
  'SELECT seq, scope, params FROM events ORDER BY seq',
);

/** A promise that a unit must not await; the test resolves it. */
let elsewhere = Promise.withResolvers<void>();

/** The units that the contract runs. */
export const contractUnits: ReadonlyMap<string, UnitHandler> = new Map<string, UnitHandler>([
  [
    'work',
    async (call, input) => {
      const { rows = [], events = [], fail, answer, shutOut = [], letIn = [] } = input as Work; // the contract posts this type
      // A unit that shuts an account out also stores it as disabled.
      for (const key of shutOut) await call.tx.run(setDisabled, key, call.now);
      for (const key of letIn) await call.tx.run(setDisabled, key, null);
      for (const key of shutOut) call.shutOut(key, true);
      for (const key of letIn) call.shutOut(key, false);
      for (const name of rows) await call.tx.run(put, name, 'row');
      for (const text of events) {
        call.emit({ scope, kind: 'messagePinned', params: { text } });
        call.intend({ type: 'clearTyping', chatKey: events.indexOf(text), accountKey: 1 });
      }
      if (fail === 'refused') throw conflict('not like this', { offset: 3 });
      if (fail === 'broken') throw new Error('a secret detail');
      if (fail === 'constraint') await call.tx.run(put, rows[0] ?? '', 'row');
      return answer;
    },
  ],
  [
    // Stands for an error that ends the whole transaction, such as an I/O error.
    'end',
    async (call) => {
      await call.tx.run(statement('ROLLBACK'));
      throw new Error('disk I/O error');
    },
  ],
  [
    'wait',
    async (call) => {
      await call.tx.run(put, 'before', 'row');
      await elsewhere.promise;
      await call.tx.run(put, 'after', 'row');
    },
  ],
  [
    'people',
    async (call, input) => {
      // The contract posts this unit with a list of account keys.
      for (const key of input as number[]) await call.tx.run(putAccount, key, `account-${key}`);
    },
  ],
  [
    'large',
    async (call) => {
      for (let at = 0; at < 64; at += 1) await call.tx.run(put, `large ${at}`, 'x'.repeat(65_536));
    },
  ],
]);

/** The behaviour that all runners of units share: batches, isolation, faults, numbers. */
export function unitsContract(name: string, open: () => Promise<UnitsUnderTest>): void {
  describe(`${name} as a runner of units`, () => {
    let units: UnitsUnderTest;
    let lastId = 0;

    beforeEach(async () => void (units = await open()));
    afterEach(() => units.close());

    const request = (input: Work | number[] = {}, unitName = 'work'): UnitRequest => {
      lastId += 1;
      return { id: lastId, name: unitName, caller: theService, input, now: 1_000 };
    };
    const stored = async () => (await units.read.all(namesOf)).map((row) => row.name);
    const run = async (...requests: UnitRequest[]) => {
      const batch = await units.run(requests);
      // Each unit has one outcome, in any order.
      expect(batch.outcomes.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(requests.map(({ id }) => id));
      return { batch, outcomes: requests.map(({ id }) => outcomeOf(batch, id)) };
    };

    test('STORE-2: the units of a batch are stored together, and each answers its result as JSON', async () => {
      const { outcomes, batch } = await run(
        request({ rows: ['a'], answer: { n: 1 } }),
        request({ rows: ['b'] }),
        request({ answer: null }),
      );
      expect(outcomes.map((outcome) => outcome.ok && outcome.result)).toEqual(['{"n":1}', undefined, 'null']);
      expect(batch.faults).toEqual([]);
      expect(await stored()).toEqual(['a', 'b']);
    });

    test('LOG-3: events are stored with the change, numbered in the order of units and of emission', async () => {
      const { outcomes, batch } = await run(request({ events: ['1', '2'] }), request(), request({ events: ['3'] }));
      const events = outcomes.flatMap(eventsOf);
      expect(events.map(({ params }) => params)).toEqual(['{"text":"1"}', '{"text":"2"}', '{"text":"3"}']);
      const seqs = events.map(({ seq }) => seq);
      expect(seqs).toEqual([0, 1, 2].map((at) => (seqs[0] ?? 0) + at));
      expect(batch.lastSeq).toBe(seqs.at(-1));
      expect(await units.read.all(eventsStored)).toEqual(events.map(({ seq, params }) => ({ seq, scope, params })));
    });

    test('STORE-4: events and intents are returned in the order in which the unit recorded them', async () => {
      const { outcomes } = await run(request({ events: ['1', '2'] }));
      expect(effectsOf(outcomes[0]).map(({ type }) => type)).toEqual(['event', 'clearTyping', 'event', 'clearTyping']);
    });

    test("a result that equals an event's params is not sent twice", async () => {
      const { outcomes } = await run(request({ events: ['1'], answer: { text: '1' } }));
      const [outcome] = outcomes;
      const result = outcome?.ok ? outcome.result : undefined;
      const text = typeof result === 'number' ? eventsOf(outcome)[0]?.params : result;
      expect(text).toBe('{"text":"1"}');
    });

    test.each([
      ['refused', { code: 'conflict', message: 'not like this', parameters: { offset: 3 } }, 0],
      ['broken', { code: 'internal', message: 'something went wrong' }, 1],
      ['constraint', { code: 'internal', message: 'something went wrong' }, 1],
    ] as const)(
      'STORE-3: a unit that is %s loses its writes, events and intents; other units lose nothing',
      async (fail, error, faults) => {
        const { outcomes, batch } = await run(
          request({ rows: ['a'], events: ['a'] }),
          request({ rows: ['lost', 'lost too'], events: ['lost'], fail }),
          request({ rows: ['b'], events: ['b'] }),
        );
        expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
        expect(outcomes[1]).toMatchObject(error);
        expect(batch.faults).toHaveLength(faults);
        expect(await stored()).toEqual(['a', 'b']);
        expect((await units.read.all(eventsStored)).map(({ params }) => params)).toEqual([
          '{"text":"a"}',
          '{"text":"b"}',
        ]);
      },
    );

    test('an unknown unit fails alone', async () => {
      const { outcomes } = await run(request({ rows: ['a'] }), request({}, 'unheard of'));
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, false]);
      expect(await stored()).toEqual(['a']);
    });

    test('STORE-5: a unit that awaits anything but its transaction fails, and writes nothing later', async () => {
      elsewhere = Promise.withResolvers();
      const { outcomes, batch } = await run(request({ rows: ['a'] }), request({}, 'wait'), request({ rows: ['b'] }));
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
      expect(batch.faults).toHaveLength(1);
      elsewhere.resolve();
      await turnOfLoop();
      await run(request({ rows: ['c'] }));
      expect(await stored()).toEqual(['a', 'b', 'c']);
    });

    test('STORE-4: if COMMIT fails, every unit answers unavailable, and nothing is published or stored', async () => {
      await run(request({ rows: ['a'] }));
      const before = await units.read.all(eventsStored);
      await units.failCommits(true);
      const { outcomes, batch } = await run(request({ rows: ['b'], events: ['b'] }), request({ fail: 'refused' }));
      expect(outcomes).toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }]);
      expect(batch.faults.length).toBeGreaterThan(0);
      await units.failCommits(false);
      expect(await stored()).toEqual(['a']);
      expect(await units.read.all(eventsStored)).toEqual(before);
      const after = await run(request({ rows: ['b'], events: ['b'] }));
      expect(after.outcomes.map(({ ok }) => ok)).toEqual([true]);
      // The numbers taken by the failed batch stay unused.
      expect(eventsOf(after.outcomes[0])[0]?.seq).toBeGreaterThan(batch.lastSeq);
    });

    test('STORE-4: if an error in one unit ends the whole transaction, every unit of the batch answers unavailable', async () => {
      const { outcomes } = await run(
        request({ rows: ['a'], events: ['a'] }),
        request({}, 'end'),
        request({ rows: ['b'], events: ['b'] }),
      );
      expect(outcomes).toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }, { code: 'unavailable' }]);
      expect(await stored()).toEqual([]);
      expect(await units.read.all(eventsStored)).toEqual([]);
      const after = await run(request({ rows: ['c'] }));
      expect(after.outcomes.map(({ ok }) => ok)).toEqual([true]);
      expect(await stored()).toEqual(['c']);
    });

    test('STORE-4: with a full disk a batch answers unavailable; units work again once there is space', async () => {
      await run(request({ rows: ['a'] }));
      await units.fillDisk();
      const { outcomes } = await run(
        request({ rows: ['b'], events: ['b'] }),
        request({}, 'large'),
        request({ rows: ['c'] }),
      );
      const isTold = (outcome: UnitOutcome) => outcome.ok || outcome.code === 'unavailable';
      expect(outcomes.every(isTold)).toBe(true);
      expect(outcomes[1]).toMatchObject({ ok: false, code: 'unavailable' });
      // Exactly what was acknowledged is stored.
      const rowsOf = ['b', '', 'c'].filter((_, at) => outcomes[at]?.ok);
      expect(await stored()).toEqual(['a', ...rowsOf]);
      await units.freeDisk();
      const after = await run(request({}, 'large'), request({ rows: ['d'] }));
      expect(after.outcomes.map(({ ok }) => ok)).toEqual([true, true]);
      expect(await stored()).toEqual(['a', ...rowsOf, 'd']);
    });

    test('AUTH-18: an account that a unit disables can change nothing from the next unit on, until it is enabled', async () => {
      await run(request([5, 6, 7], 'people'));
      const by = (key: number, input: Work) => ({ ...request(input), caller: { ...theService, key } });
      const { outcomes } = await run(
        by(5, { rows: ['a'], shutOut: [5, 6] }),
        by(5, { rows: ['b'] }),
        by(6, { rows: ['c'] }),
        by(7, { rows: ['d'] }),
      );
      const code = 'unauthenticated';
      expect(outcomes).toMatchObject([{ ok: true }, { code }, { code }, { ok: true }]);
      const later = await run(by(5, { rows: ['e'] }), request({ letIn: [5] }), by(5, { rows: ['f'] }), by(6, {}));
      expect(later.outcomes).toMatchObject([{ code }, { ok: true }, { ok: true }, { code }]);
      expect(await stored()).toEqual(['a', 'd', 'f']);
    });

    test('AUTH-18, STORE-3: accounts that a unit shut out keep their access if the unit or its batch fails', async () => {
      await run(request([5, 6, 7], 'people'));
      const by = (key: number, input: Work) => ({ ...request(input), caller: { ...theService, key } });
      const first = await run(by(5, { shutOut: [5], fail: 'refused' }), by(5, { rows: ['a'] }));
      expect(first.outcomes).toMatchObject([{ code: 'conflict' }, { ok: true }]);
      await run(request({ shutOut: [6] }));
      await units.failCommits(true);
      await run(request({ shutOut: [5, 7], letIn: [6] }), by(5, {}));
      await units.failCommits(false);
      const last = await run(by(5, { rows: ['b'] }), by(6, { rows: ['c'] }), by(7, { rows: ['d'] }));
      expect(last.outcomes).toMatchObject([{ ok: true }, { code: 'unauthenticated' }, { ok: true }]);
      expect(await stored()).toEqual(['a', 'b', 'd']);
    });

    test('LOG-1: transient events get their numbers before the events of the next batch', async () => {
      const { lastSeq: taken } = (await run(request({ events: ['1'] }))).batch;
      units.want(3);
      const { batch, outcomes } = await run(request({ events: ['2'] }));
      expect(batch).toMatchObject({ granted: 3, firstGranted: taken + 1, lastSeq: taken + 4 });
      expect(eventsOf(outcomes[0])[0]?.seq).toBe(taken + 4);
    });

    test('LOG-2: after a crash no number is reused', async () => {
      const { batch } = await run(request({ events: ['1', '2', '3'] }));
      const transient = await units.takeTransient();
      expect(transient).toBe(batch.lastSeq + 1);
      await units.reopen();
      const { outcomes } = await run(request({ events: ['4'] }));
      expect(eventsOf(outcomes[0])[0]?.seq).toBeGreaterThan(transient);
    });

    test('in any batch, acknowledged units are stored and published, failed ones are not', async () => {
      const work = fc.record({
        rows: fc.nat(3),
        events: fc.nat(3),
        fail: fc.constantFrom(undefined, undefined, undefined, 'refused', 'broken', 'constraint'),
      });
      const expected: string[] = [];
      const published: string[] = [];
      let lastSeq = 0;
      let counter = 0;
      const names = (count: number) =>
        Array.from({ length: count }, () => `r${String((counter += 1)).padStart(6, '0')}`);
      const holds = fc.asyncProperty(fc.array(work, { minLength: 1, maxLength: 12 }), async (works) => {
        const planned = works.map(({ rows, events, fail }) => {
          // A unit without rows cannot violate the constraint.
          const isFailing = fail === 'constraint' && rows === 0 ? undefined : fail;
          return { rows: names(rows), events: names(events), fail: isFailing };
        });
        const { outcomes } = await run(...planned.map((input) => request(input)));
        planned.forEach(({ rows, events, fail }, at) => {
          expect(outcomes[at]?.ok).toBe(fail === undefined);
          if (fail !== undefined) return;
          expected.push(...rows);
          published.push(...events);
          for (const event of eventsOf(outcomes[at])) {
            expect(event.seq).toBeGreaterThan(lastSeq);
            lastSeq = event.seq;
          }
        });
      });
      await fc.assert(holds, { numRuns: runsOf(40) });
      expect(await stored()).toEqual(expected.toSorted());
      expect((await units.read.all(eventsStored)).map(({ params }) => params)).toEqual(
        published.map((text) => JSON.stringify({ text })),
      );
    });
  });
}

function outcomeOf(batch: Batch, id: number): UnitOutcome {
  const outcome = batch.outcomes.find((candidate) => candidate.id === id);
  if (!outcome) throw new Error(`the unit ${id} has no outcome`);
  return outcome;
}

const effectsOf = (outcome: UnitOutcome | undefined): Effect[] => (outcome?.ok ? outcome.effects : []);
const eventsOf = (outcome: UnitOutcome | undefined): LoggedEvent[] =>
  effectsOf(outcome).filter((effect) => effect.type === 'event');
