import { addAdminNode, signOffNode, showConnection } from '../store/engines/postgres-nodes.ts';
import type { Clock } from '../core/clock.ts';
import { defaultSettings } from '../core/settings.ts';
import { PostgresConnection } from '../store/engines/postgres.ts';
import { PostgresUnits } from '../commits/engines/postgres-units.ts';
import type { UnitHandler } from '../commits/unit-context.ts';
import { migratePostgres } from '../store/migrate.ts';
import { theService } from '../calls/unit-queue.ts';
import { adminUnits } from '../units/administration.ts';
import type { Batch } from '../commits/unit-runner.ts';
import { Failure, messageOf } from './failure.ts';
import type { AdminRequest } from '../units/admin-requests.ts';

/** Throws a Failure if the database cannot be reached. */
export async function openPostgres(url: string): Promise<PostgresConnection> {
  try {
    return await PostgresConnection.open({ url, name: 'parley admin' });
  } catch (error) {
    throw new Failure(`DATABASE_URL: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Runs a request on the database as a temporary node, which exists for one unit. Within a second the running nodes find
 * its events, such as ended sessions, in the log (ADMIN-14).
 */
export async function doOnPostgres(url: string, clock: Clock, name: AdminRequest, input: unknown): Promise<unknown> {
  const connection = await openPostgres(url);
  try {
    await migratePostgres(connection);
    const node = (await connection.get(addAdminNode))?.key ?? 0;
    await connection.run(showConnection, node);
    const units = new PostgresUnits({
      connect: () => PostgresConnection.open({ url, name: 'parley admin' }),
      writers: 1,
      nodeKey: () => node,
      settings: defaultSettings,
      // `request` has typed the input as the unit with this name expects.
      handlers: new Map([[name, adminUnits[name] as UnitHandler]]),
      grants: { take: () => 0, giveBack: () => {} },
    });
    try {
      const done = new Promise<Batch>((resolve, reject) => {
        units.onBatch = resolve;
        units.onFailure = reject;
      });
      units.post([{ id: 1, name, caller: theService, input, now: clock.now() }]);
      const { outcomes, faults } = await done;
      const [outcome] = outcomes;
      if (!outcome?.ok) throw new Failure(faults[0] ?? outcome?.message ?? 'nothing was done');
      return typeof outcome.result === 'string' ? JSON.parse(outcome.result) : null;
    } finally {
      await units.close();
      await connection.run(signOffNode, node);
    }
  } finally {
    await connection.close();
  }
}
