// Measures units per second on PostgreSQL, without sockets: node bench/postgres-units.ts [seconds] [conversations]
import { readdirSync, readFileSync } from 'node:fs';
import { unitHandlers } from '@parley/server/service/unit-handlers.ts';
import type { Caller } from '@parley/server/access/call.ts';
import { idText, newIdBytes } from '@parley/server/core/ids.ts';
import type { UnitRequest } from '@parley/server/commits/unit-runner.ts';
import { startPostgres } from '@parley/testing/servers/postgres.ts';
import { UnitsOnPostgres } from '@parley/testing/servers/postgres-units.ts';
import { cpuSecondsOf } from './processes/process-status.ts';

const [seconds = 8, conversations = 256] = process.argv.slice(2).map(Number);
const UNDER_WAY = 512;

const server = await startPostgres({ isDurable: true });
const node = await UnitsOnPostgres.open(unitHandlers, {}, await server.createDatabase());
const chats: { id: string; callers: Caller[] }[] = [];
for (let at = 0; at < conversations; at += 1) {
  const id = newIdBytes(Date.now());
  await node.read.run(
    {
      sql: "INSERT INTO chats (key, id, kind, participant_count, created_at, updated_at) VALUES ($1, $2, 'group', 2, 0, 0)",
    },
    at + 1,
    id,
  );
  const callers: Caller[] = [];
  for (const key of [2 * at + 1, 2 * at + 2]) {
    const account = `INSERT INTO accounts (key, username, kind, display_name, search_name, created_at) VALUES ($1, $2, 'human', $2, $2, 0)`;
    await node.read.run({ sql: account }, key, `user${key}`);
    const takesPart = `INSERT INTO participants (chat_key, account_key, role, joined_at) VALUES ($1, $2, 'member', 0)`;
    await node.read.run({ sql: takesPart }, at + 1, key);
    callers.push({
      key,
      ownerKey: key,
      username: `user${key}`,
      displayName: '',
      kind: 'human',
      role: 'member',
      sessionKey: null,
    });
  }
  chats.push({ id: idText(id), callers });
}

/** CPU time of the PostgreSQL processes that exist now. */
function serverCpuSeconds(): number {
  const parents = readdirSync('/proc').flatMap((pid): [number, number][] => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
    } catch {
      return [];
    }
  });
  const under = (parent: number): number[] =>
    parents.flatMap(([pid, of]) => (of === parent ? [pid, ...under(pid)] : []));
  return under(process.pid).reduce((sum, pid) => sum + (cpuSecondsOf(pid) ?? 0), 0);
}

let id = 0;
let done = 0;
let failed = 0;
const latencies: number[] = [];
const until = Date.now() + seconds * 1_000;
async function send(): Promise<void> {
  while (Date.now() < until) {
    id += 1;
    const chat = chats[Math.floor((id * 7) % chats.length)];
    const caller = chat?.callers[id % 2];
    if (!chat || !caller) return;
    const input = { chat_id: chat.id, text: `message ${id}`, client_msg_id: `c${id}` };
    const request: UnitRequest = { id, name: 'sendMessage', caller, input, now: Date.now() };
    const began = performance.now();
    const outcome = await node.outcome(request);
    latencies.push(performance.now() - began);
    if (outcome.ok) done += 1;
    else {
      failed += 1;
      if (failed === 1) console.log(outcome);
    }
  }
}
const [began, ownCpu, serverCpu] = [performance.now(), process.cpuUsage(), serverCpuSeconds()];
await Promise.all(Array.from({ length: UNDER_WAY }, send));
const { user, system } = process.cpuUsage(ownCpu);
const cpu = [(user + system) / 1_000_000, serverCpuSeconds() - serverCpu].map((seconds) =>
  ((1_000_000 * seconds) / done).toFixed(0),
);
const took = (performance.now() - began) / 1_000;
latencies.sort((a, b) => a - b);
const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1);
console.log(`${Math.round(done / took)} sends/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${failed} failed`, node.faults);
console.log(`CPU time per send: ${cpu[0]} µs here, ${cpu[1]} µs on the server`);
await node.close();
await server.stop();
