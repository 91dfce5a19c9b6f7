import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '../core/clock.ts';
import { defaultSettings } from '../core/settings.ts';
import { assertNoNode } from '../store/engines/data-dir-kind.ts';
import { lockDataDir } from '../store/engines/data-dir-lock.ts';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { prepareDatabase } from '../commits/engines/sqlite-start.ts';
import { SqliteUnits } from '../commits/engines/sqlite-units.ts';
import type { UnitHandler } from '../commits/unit-context.ts';
import { theService } from '../calls/unit-queue.ts';
import { adminUnits } from '../units/administration.ts';
import { channelPath } from './channel-path.ts';
import { databaseFile, existingDatabase } from './database.ts';
import { Failure } from './failure.ts';
import { doOnPostgres } from './reach-postgres.ts';
import type { AdminAnswer, AdminInput, AdminRequest } from '../units/admin-requests.ts';

export interface Site {
  dataDir: string;
  /** Address of the database if there are several nodes; otherwise null. */
  databaseUrl: string | null;
  clock: Clock;
}

/** Sends a request to the running service, or runs it on the database if none runs or with several nodes (ADMIN-14). */
export async function request<Name extends AdminRequest>(
  site: Site,
  name: Name,
  input: AdminInput<Name>,
): Promise<AdminAnswer<Name>> {
  const result = await (site.databaseUrl === null
    ? doHere(site, name, input)
    : doOnPostgres(site.databaseUrl, site.clock, name, input));
  // The result type of the unit with this name.
  return result as AdminAnswer<Name>;
}

async function doHere(site: Site, name: AdminRequest, input: unknown): Promise<unknown> {
  const socket = await connectTo(site.dataDir);
  return socket ? ask(socket, name, input) : doOffline(site, name, input);
}

/** Returns undefined if no service listens. */
async function connectTo(dataDir: string): Promise<Socket | undefined> {
  const socket = connect(channelPath(dataDir));
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // The socket does not exist, or a service that crashed left it behind.
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENAMETOOLONG' || code === 'EINVAL') return undefined;
    if (code === 'EACCES' || code === 'EPERM') throw new Failure('only the user that runs the service may do this');
    throw error;
  }
}

async function ask(socket: Socket, name: AdminRequest, input: unknown): Promise<unknown> {
  socket.write(`${JSON.stringify({ name, input })}\n`);
  const line = await text(socket);
  if (line === '')
    throw new Failure('the service stopped before it answered; check whether the change was made before you try again');
  // Written by openChannel.
  const answer = JSON.parse(line) as { ok: true; result: unknown } | { ok: false; message: string };
  if (!answer.ok) throw new Failure(answer.message);
  return answer.result;
}

async function doOffline({ dataDir, clock }: Site, name: AdminRequest, input: unknown): Promise<unknown> {
  // The first account may be created before the first start of the service.
  const file = name === 'createAccount' ? databaseFile(dataDir) : existingDatabase(dataDir);
  const lock = lockUnserved(dataDir);
  try {
    const sequence = prepareDatabase(file);
    const connection = new SqliteConnection(file);
    try {
      // `request` has typed the input as the unit with this name expects.
      const handlers = new Map([[name, adminUnits[name] as UnitHandler]]);
      const units = new SqliteUnits(connection, sequence, defaultSettings, handlers);
      // Intents for the service's memory are dropped: no service is running.
      const { outcomes, faults } = await units.run([{ id: 1, name, caller: theService, input, now: clock.now() }]);
      const [outcome] = outcomes;
      if (!outcome?.ok) throw new Failure(faults[0] ?? outcome?.message ?? 'nothing was done');
      return typeof outcome.result === 'string' ? JSON.parse(outcome.result) : null;
    } finally {
      connection.close();
    }
  } finally {
    lock.release();
  }
}

/** Locks a folder; fails if a service uses it. */
export function lockUnserved(dataDir: string) {
  assertNoNode(dataDir);
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    throw new Failure(
      `a service or another admin command is using ${dataDir} and does not answer: it is starting or stopping (try ` +
        'again), or its log says why it cannot be reached (stop it first)',
      { cause: error },
    );
  }
}
