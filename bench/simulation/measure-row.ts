// Measures how long a batch holds the row of the log, a constant of the simulation: node bench/simulation/measure-row.ts
import { PostgresConnection } from '@parley/server/store/engines/postgres.ts';
import { startPostgres } from '@parley/testing/servers/postgres.ts';

/** Connections that all want the row: one of them always holds it. */
const CONNECTIONS = 12;
const MS = 3_000;

const server = await startPostgres({ isDurable: true });
const { url } = await server.createDatabase();

interface Measured {
  settings: string;
  granted: number;
  events: number;
  /** A statement with its own durable commit that follows each batch. */
  after?: string;
}

/** Batches in a second if all connections write batches of this kind. */
async function perSecond({ settings, granted, events, after }: Measured): Promise<number> {
  const list = (value: string): string => `'{${Array.from({ length: events }, () => value).join(',')}}'`;
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => PostgresConnection.open({ url, settings })),
  );
  const [first] = connections;
  const row = await first?.get<{ key: number }, []>({ sql: "INSERT INTO nodes (name) VALUES ('row') RETURNING key" });
  const append = {
    sql: `SELECT append_events(${row?.key}, ${granted}, 0, ${list('2')}::BIGINT[], ${list('1')}::INTEGER[],
      ${list('7')}::BIGINT[], ${list('NULL')}::TEXT[], ${list('0')}::BIGINT[], NULL) AS last`,
  };
  let batches = 0;
  const end = performance.now() + MS;
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) {
        await connection.get(append);
        if (after !== undefined) await connection.exec(after);
        batches += 1;
      }
    }),
  );
  for (const connection of connections) await connection.close();
  return (1_000 * batches) / MS;
}

const off = 'SET synchronous_commit = off;';
const flush = `BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_logical_emit_message(true, 'flush', ''); COMMIT`;
const kinds: Record<string, Measured> = {
  'durable, 1 event': { settings: '', granted: 0, events: 1 },
  'durable, 64 events': { settings: '', granted: 0, events: 64 },
  'transient, 1 number': { settings: off, granted: 1, events: 0 },
  '1 event, flushed after the row is free': { settings: off, granted: 0, events: 1, after: flush },
};
for (const [name, kind] of Object.entries(kinds)) {
  const rate = await perSecond(kind);
  console.log(`${name}: ${Math.round(rate)} batches/s, ${Math.round(1e6 / rate)} µs each`);
}
await server.stop();
