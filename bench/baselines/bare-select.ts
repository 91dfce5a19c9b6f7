import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** What a page of updates costs at least: selects the stored messages of the same rows, and sends them joined. */
export interface BareRequest {
  since: number;
  limit: number;
  /** Only events of this scope; otherwise of all. */
  scope: number | null;
}

const file = process.argv.find((argument) => argument.startsWith('--file='))?.slice('--file='.length) ?? '';
const database = new DatabaseSync(file, { readOnly: true });
const prepared = (sql: string): StatementSync => {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
};
const ofAll = prepared(
  'SELECT m.record FROM events e JOIN messages m ON m.key = e.ref WHERE e.seq > ? ORDER BY e.seq LIMIT ?',
);
const ofScope = prepared(
  `SELECT m.record FROM events_by_scope e JOIN messages m ON m.key = e.ref WHERE e.scope = ? AND e.seq > ?
   ORDER BY e.seq LIMIT ?`,
);

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { since, limit, scope }: BareRequest = JSON.parse(body);
    const rows = scope === null ? ofAll.all(since, limit) : ofScope.all(scope, since, limit);
    const answer = `[${rows.map((row) => row[0]).join(',')}]`;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
    response.end(answer);
  });
});
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  process.stdout.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${address.port}` })}\n`);
});
