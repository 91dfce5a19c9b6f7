import { UnitsOnPostgres } from '@parley/testing/servers/postgres-units.ts';
import { describeWithPostgres } from '@parley/testing/servers/postgres.ts';
import { expect, test } from 'vitest';
import type { UnitRequest } from '../unit-runner.ts';
import { accountJson } from '../../rendering/accounts.ts';
import { addAccount, setDisabled, setDisplayName } from '../../store/accounts.ts';
import { statement } from '../../store/sql.ts';
import { named } from '../lock-names.ts';
import type { UnitHandler } from '../unit-context.ts';

let begun = 0;
const gate = named('gate');
const rowOf = statement<{ value: string }>("SELECT value FROM meta WHERE name = 'row'");

const handlers: ReadonlyMap<string, UnitHandler> = new Map<string, UnitHandler>([
  ['add', (call) => addAccount(call, { username: 'alice', kind: 'human', displayName: 'Alice' })],
  ['look', async (call) => ({ shown: await accountJson(call, call.caller.key) })],
  [
    'read',
    async ({ tx }) => {
      begun += 1;
      return { value: (await tx.get(rowOf))?.value };
    },
  ],
  ['rename', ({ tx }, input) => tx.run(setDisplayName, 1, String(input), '')],
  ['disable', ({ tx }, input) => tx.run(setDisabled, 1, input as number | null)],
]);
const needs = ({ name }: UnitRequest) => (name === 'read' ? [gate] : name === 'look' ? [] : 'all');
const alice = {
  key: 1,
  ownerKey: 1,
  username: 'alice',
  displayName: '',
  kind: 'human',
  role: 'member',
  sessionKey: null,
} as const;
const nobody = { ...alice, key: 0 };

describeWithPostgres('cached accounts', () => {
  test('CLUSTER-35: a node never uses an outdated account from its cache, whichever node has changed it', async () => {
    const node = await UnitsOnPostgres.open(handlers, { needs, writers: 1 });
    const other = await UnitsOnPostgres.open(handlers, { needs, writers: 1 }, node.database);
    let id = 0;
    const run = (on: UnitsOnPostgres, name: string, input: unknown = {}) => {
      id += 1;
      return on.outcome({ id, name, caller: name === 'look' ? alice : nobody, input, now: 1_000 });
    };
    const look = async () => {
      const outcome = await run(node, 'look');
      return outcome.ok ? /"display_name\\":\\"(\w+)/.exec(String(outcome.result))?.[1] : outcome.code;
    };
    await run(node, 'add');
    expect(await look()).toBe('Alice');
    expect(await look()).toBe('Alice');
    for (const [at, changing] of [other, node, other].entries()) {
      await run(changing, 'rename', `Name${at}`);
      expect(await look()).toBe(`Name${at}`);
      await run(changing, 'disable', 1_000);
      expect(await look()).toBe('unauthenticated');
      await run(changing, 'disable', null);
      expect(await look()).toBe(`Name${at}`);
    }
    await other.units.close();
    await other.read.close();
    await node.close();
  });

  test('CLUSTER-35: a node reads an account once, as long as no account changes', async () => {
    const node = await UnitsOnPostgres.open(handlers, { needs, writers: 1 });
    const run = (id: number, name: string) =>
      node.outcome({ id, name, caller: name === 'look' ? alice : nobody, input: {}, now: 1_000 });
    await run(1, 'add');
    await run(2, 'look');
    await run(3, 'look');
    // The runner does not notice this change, because usually only units change accounts.
    await node.read.exec("UPDATE accounts SET display_name = 'Other' WHERE key = 1");
    expect(await run(4, 'look')).toMatchObject({ result: expect.stringContaining('Alice') });
    await node.close();
  });

  test('CLUSTER-35: a known caller’s first statement is sent with the locks, but sees rows stored before they are granted', async () => {
    const node = await UnitsOnPostgres.open(handlers, { needs, writers: 1 });
    const run = (id: number, name: string) =>
      node.outcome({ id, name, caller: name === 'add' ? nobody : alice, input: {}, now: 1_000 });
    const waiting = statement<{ count: number }>(
      `SELECT count(*) AS count FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`,
    );
    await run(1, 'add');
    await run(2, 'read');
    begun = 0;
    await node.read.exec(`SELECT pg_advisory_lock(${gate.id})`);
    const outcome = run(3, 'read');
    while ((await node.read.get(waiting))?.count !== 1);
    expect(begun).toBe(1);
    await node.read.exec("INSERT INTO meta (name, value) VALUES ('row', 'kept')");
    await node.read.exec(`SELECT pg_advisory_unlock(${gate.id})`);
    expect(await outcome).toMatchObject({ ok: true, result: '{"value":"kept"}' });
    expect(begun).toBe(1);
    await node.close();
  });
});
