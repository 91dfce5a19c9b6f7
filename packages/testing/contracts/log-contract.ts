import { runsOf } from '../depth.ts';
import type { Emitted } from '@parley/server/commits/effects.ts';
import type { EventLog, PublishedEvent, StoredEvent } from '@parley/server/log/event-log.ts';
import { chatScope, eventClass, eventKinds, type EventKindName, type Scope } from '@parley/server/core/event-kinds.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';

export interface LogUnderTest {
  readonly log: EventLog;
  /** Events published since the log was last opened. */
  readonly published: readonly PublishedEvent[];
  /** Commits units, each of which emits these events; resolves when they are published. */
  commit(...units: Emitted[][]): Promise<void>;
  /** Runs the service's periodic indexing. */
  index(): Promise<void>;
  /** Trims events up to a number. */
  trim(through: number): Promise<void>;
  /** Closes the log and opens it again on the same data. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

const WIDE = 100;
const scopeOf = (chat: number): Scope => chatScope(chat);
const emitted = (chat: number, kind: EventKindName = 'messagePinned', ref = 0): Emitted => ({
  scope: scopeOf(chat),
  kind,
  ref,
  params: { chat },
});
/** The same scopes and many others, enough for the log to use another query. */
const amongMany = (scopes: Iterable<Scope>): Set<Scope> =>
  new Set([...scopes, ...Array.from({ length: WIDE }, (_, at) => scopeOf(1_000 + at))]);

/**
 * The behaviour that all engines of the update log share. `runs`: how many random cases the longest property tries; an
 * engine with slow commits tries fewer.
 */
export function logContract(name: string, open: () => Promise<LogUnderTest>, { runs = runsOf(60) } = {}): void {
  describe(`${name} as an update log`, () => {
    let at: LogUnderTest;
    beforeEach(async () => void (at = await open()));
    afterEach(() => at.close());

    /** Reads one page like a replay, with as many reads as needed. */
    const readPage = async (scopes: ReadonlySet<Scope>, after: number, through: number, limit: number) => {
      const events: StoredEvent[] = [];
      for (let from = after; from < through && events.length <= limit;) {
        const range = { accountKey: 0, after: from, through, limit: limit + 1 - events.length };
        const found = await at.log.read(scopes, range);
        events.push(...found.events);
        if (found.through <= from) throw new Error(`reading the log does not advance from ${from}`);
        from = found.through;
      }
      return { events: events.slice(0, limit), more: events.length > limit };
    };
    const everything = async (scopes: Set<Scope>, after = 0) =>
      (await readPage(scopes, after, at.log.published, 1_000_000)).events;
    const seqs = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq);
    const isIncreasing = (numbers: readonly number[]) =>
      numbers.every((seq, at) => at === 0 || seq > (numbers[at - 1] ?? 0));

    test('LOG-1: committed events are published in order, with increasing numbers', async () => {
      await Promise.all([at.commit([emitted(1), emitted(2)], [emitted(1)]), at.commit([emitted(3)])]);
      expect(at.published.map(({ scope }) => scope)).toEqual([1, 2, 1, 3].map(scopeOf));
      expect(isIncreasing(seqs(at.published))).toBe(true);
      expect(at.log.published).toBe(at.published.at(-1)?.seq);
      expect(seqs(await everything(new Set([1, 2, 3].map(scopeOf))))).toEqual(seqs(at.published));
    });

    test('LOG-1: transient events are numbered from the same counter as committed ones, and are in no replay', async () => {
      await at.commit([emitted(1)]);
      const given: number[] = [];
      at.log.publishTransient({
        scope: scopeOf(1),
        kind: 'messageDelta',
        params: '{}',
        except: 9,
        onSeq: (seq) => given.push(seq),
      });
      await at.log.numbered();
      await at.commit([emitted(1)]);
      expect(at.published.map(({ kind, except }) => [kind, except])).toEqual([
        ['messagePinned', 0],
        ['messageDelta', 9],
        ['messagePinned', 0],
      ]);
      expect(isIncreasing(seqs(at.published))).toBe(true);
      expect(given).toEqual([at.published[1]?.seq]);
      expect(await everything(new Set([scopeOf(1)]))).toHaveLength(2);
    });

    test('DEL-5: a transient event that became void while it waited for its number is dropped', async () => {
      let isVoid = false;
      const commit = at.commit([emitted(1)]);
      for (let turn = 0; turn < 3; turn += 1) {
        at.log.publishTransient({ scope: scopeOf(1), kind: 'messageDelta', params: '{}', isVoid: () => isVoid });
        await turnOfLoop();
      }
      isVoid = true;
      at.log.publishTransient({
        scope: scopeOf(1),
        kind: 'messageDelta',
        params: '{"void":true}',
        isVoid: () => isVoid,
      });
      await commit;
      await at.commit([emitted(1)]);
      expect(at.published.map(({ params }) => params)).not.toContain('{"void":true}');
      expect(isIncreasing(seqs(at.published))).toBe(true);
    });

    test('LOG-1: no transient event overtakes a batch or another transient event', async () => {
      const step = fc.oneof(
        fc.record({ commit: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }) }),
        fc.record({ transient: fc.integer({ min: 1, max: 3 }) }),
        fc.constant({ turn: true as const }),
      );
      let count = 0;
      const holds = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const from = at.published.length;
        const sent: string[] = [];
        const commits: Promise<void>[] = [];
        for (const one of steps) {
          if ('commit' in one) commits.push(at.commit(one.commit.map((chat) => emitted(chat))));
          else if ('turn' in one) await turnOfLoop();
          else {
            count += 1;
            sent.push(`{"n":${count}}`);
            at.log.publishTransient({ scope: scopeOf(one.transient), kind: 'messageDelta', params: `{"n":${count}}` });
          }
        }
        await Promise.all(commits);
        await at.commit([]);
        // Where the store assigns the numbers, a batch for transient events may be in flight.
        while (at.log.starved) await turnOfLoop();
        const events = at.published.slice(from);
        expect(isIncreasing(seqs(at.published))).toBe(true);
        expect(events.filter(({ kind }) => kind === 'messageDelta').map(({ params }) => params)).toEqual(sent);
      });
      await fc.assert(holds, { numRuns: runsOf(60) });
    });

    test('LOG-2: the counter never goes back when the log is reopened', async () => {
      await at.commit([emitted(1)]);
      at.log.publishTransient({ scope: scopeOf(1), kind: 'typing', params: '{}' });
      const highest = at.log.highest;
      await at.reopen();
      expect(at.log.highest).toBeGreaterThanOrEqual(highest);
      await at.commit([emitted(1)]);
      expect(at.published[0]?.seq).toBeGreaterThan(highest);
    });

    test('LOG-10: a page holds as many events as fit, and says whether there are more', async () => {
      await at.commit([emitted(1), emitted(2), emitted(1), emitted(1)]);
      const [first, , third, fourth] = seqs(at.published);
      for (const scopes of [new Set([scopeOf(1)]), amongMany([scopeOf(1)])]) {
        const page = async (after: number, limit: number) => {
          const { events, more } = await readPage(scopes, after, at.log.published, limit);
          return [seqs(events), more];
        };
        expect(await page(0, 2)).toEqual([[first, third], true]);
        expect(await page(0, 3)).toEqual([[first, third, fourth], false]);
        expect(await page(third ?? 0, 1)).toEqual([[fourth], false]);
        expect(await page(fourth ?? 0, 1)).toEqual([[], false]);
        expect(seqs((await readPage(scopes, 0, third ?? 0, 9)).events)).toEqual([first, third]);
      }
    });

    test('LOG-9: a read of the log ends, however few of its events are for the reader', async () => {
      const quiet = new Set(Array.from({ length: 60 }, (_, chat) => scopeOf(1_000 + chat)));
      const own = (count: number) => Array.from({ length: count }, (_, chat) => emitted(1_000 + chat));
      const others = (count: number) => Array.from({ length: count }, () => emitted(1));
      for (const events of [own(60), others(8_000), own(30), others(2_000), own(1)]) await at.commit(events);
      const ofQuiet = seqs(at.published.filter(({ scope }) => quiet.has(scope)));
      for (const isIndexed of [false, true]) {
        if (isIndexed) await at.index();
        for (const limit of [1, 7, 1_000]) {
          const page = await readPage(quiet, 0, at.log.published, limit);
          expect([seqs(page.events), page.more]).toEqual([ofQuiet.slice(0, limit), limit < ofQuiet.length]);
          expect((await readPage(quiet, ofQuiet[89] ?? 0, at.log.published, limit)).events).toHaveLength(1);
        }
      }
    });

    test(
      'LOG-9: the results of reads and heads do not depend on indexing, trimming or reopening',
      { timeout: 240_000 },
      async () => {
        const kind = fc.constantFrom<EventKindName>(
          'messagePinned',
          'messagePinned',
          'streamStarted',
          'conversationUpdated',
        );
        const event = fc.record({ chat: fc.integer({ min: 1, max: 6 }), kind });
        const step = fc.oneof(
          { weight: 6, arbitrary: fc.record({ commit: fc.array(event, { minLength: 1, maxLength: 12 }) }) },
          { weight: 2, arbitrary: fc.constant({ index: true as const }) },
          { weight: 1, arbitrary: fc.record({ trim: fc.double({ min: 0, max: 1, noNaN: true }) }) },
          { weight: 1, arbitrary: fc.constant({ reopen: true as const }) },
        );
        const chats = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 7 });
        const places = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
        const holds = fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 24 }),
          fc.array(fc.tuple(chats, places, fc.integer({ min: 1, max: 20 })), { minLength: 4, maxLength: 4 }),
          async (steps, queries) => {
            await at.close();
            at = await open();
            const known: PublishedEvent[] = [];
            const note = () => known.push(...at.published.filter(({ seq }) => seq > (known.at(-1)?.seq ?? 0)));
            let trimmed = 0;
            for (const one of steps) {
              if ('commit' in one) await at.commit(one.commit.map(({ chat, kind }) => emitted(chat, kind, chat)));
              else if ('index' in one) await at.index();
              else if ('reopen' in one) await at.reopen();
              else {
                // Trimmed events do not come back.
                trimmed = Math.max(trimmed, known[Math.floor(one.trim * known.length)]?.seq ?? 0);
                await at.trim(trimmed);
              }
              note();
            }
            const last = known.at(-1)?.seq ?? 0;
            for (const [some, [from, to], limit] of queries) {
              const scopes = new Set(some.map(scopeOf));
              const after = Math.floor(from * last);
              const through = Math.floor(to * (last + 1));
              const expected = known.filter(
                ({ seq, scope }) => seq > trimmed && seq > after && seq <= through && scopes.has(scope),
              );
              for (const asked of [scopes, amongMany(scopes)]) {
                const { events, more } = await readPage(asked, after, through, limit);
                expect(events.map(asPublished)).toEqual(expected.slice(0, limit).map(asPublished));
                expect(more).toBe(expected.length > limit);
                const isLost = known.some(({ seq, scope }) => seq <= trimmed && seq > after && scopes.has(scope));
                const range = { accountKey: 0, after, through: Math.max(after, at.log.published), limit: 1 };
                expect((await at.log.read(asked, range)).isLost).toBe(isLost);
              }
            }
            for (let chat = 1; chat <= 7; chat += 1) {
              const ofChat = known.filter(({ scope }) => scope === scopeOf(chat));
              const lastOf = (eventClassOf: number) =>
                ofChat.findLast(({ kind }) => eventKinds[kind].class === eventClassOf)?.seq ?? 0;
              const head = await at.log.headOf(new Set([scopeOf(chat)]), at.log.published);
              // For trimmed events the log may not know which sockets saw them: a head may be above the last event that a
              // socket saw, but never below, because then its client would not fetch.
              const slack = ofChat.findLast(({ seq }) => seq <= trimmed)?.seq ?? 0;
              expect(head.base).toBeGreaterThanOrEqual(lastOf(eventClass.base));
              expect(Math.max(head.base, head.draft)).toBeGreaterThanOrEqual(lastOf(eventClass.draft));
              expect(Math.max(head.base, head.ext)).toBeGreaterThanOrEqual(lastOf(eventClass.ext));
              expect(head.base).toBeLessThanOrEqual(Math.max(lastOf(eventClass.base), slack));
              expect(head.draft).toBeLessThanOrEqual(Math.max(lastOf(eventClass.draft), slack));
              expect(head.ext).toBeLessThanOrEqual(Math.max(lastOf(eventClass.ext), slack));
            }
          },
        );
        await fc.assert(holds, { numRuns: runs });
      },
    );
  });
}

const asPublished = ({ seq, scope, kind }: PublishedEvent | StoredEvent) => ({ seq, scope, kind });
