import { describeWithPostgres } from '@parley/testing/servers/postgres.ts';
import { UnitsOnPostgres } from '@parley/testing/servers/postgres-units.ts';
import { contractUnits, unitsContract, type UnitsUnderTest } from '@parley/testing/contracts/units-contract.ts';
import { named } from '../lock-names.ts';

/** A statement that fails with the SQLSTATE of a full disk. */
const NO_ROOM = `
  CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER no_room BEFORE INSERT ON meta FOR EACH ROW WHEN (length(NEW.value) > 1000) EXECUTE FUNCTION no_room()`;
const ROOM = 'DROP TRIGGER no_room ON meta; DROP FUNCTION no_room';
/** A deferred constraint, so that COMMIT fails. */
const FAILING = `
  CREATE FUNCTION io_error() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not write' USING ERRCODE = '58030'; END $$;
  CREATE CONSTRAINT TRIGGER io_error AFTER INSERT ON meta DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION io_error();
  CREATE CONSTRAINT TRIGGER io_error AFTER UPDATE ON accounts DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION io_error()`;
const WORKING = 'DROP FUNCTION io_error CASCADE';

async function open(): Promise<UnitsUnderTest> {
  // Units that the contract posts together must be one batch and run in order.
  const options = { needs: () => [named('the contract')] };
  const node = await UnitsOnPostgres.open(contractUnits, options);
  const { read, grants } = node;
  return {
    run(requests) {
      const batch = node.nextBatch();
      node.units.post(requests);
      return batch;
    },
    read,
    want: (count) => void (grants.waiting = count),
    async takeTransient() {
      grants.waiting += 1;
      const batch = node.nextBatch();
      node.units.nudge();
      return (await batch).firstGranted;
    },
    fillDisk: () => read.exec(NO_ROOM),
    freeDisk: () => read.exec(ROOM),
    failCommits: (isFailing) => read.exec(isFailing ? FAILING : WORKING),
    async reopen() {
      await node.units.close();
      await node.start(options);
    },
    close: () => node.close(),
  };
}

describeWithPostgres('units on PostgreSQL', () => unitsContract('PostgreSQL', open));
