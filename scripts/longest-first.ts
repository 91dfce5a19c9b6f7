import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, longest first: one that began last would run alone at the end. */
const longest = [
  'testing/cluster/cluster.test.ts',
  'calls/bad-input.test.ts',
  'running/start.test.ts',
  'admin/account-commands.test.ts',
  'store/engines/postgres.test.ts',
  'markdown/text-kept.test.ts',
  'calls/permissions.test.ts',
  'crash/crash.test.ts',
  'power-cut/power-cut.test.ts',
  'admin/store-commands.test.ts',
  'cluster/unit-locks.test.ts',
  'log/recovery.test.ts',
  'simulation/simulation.test.ts',
  'app/axe.test.ts',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((name) => moduleId.endsWith(name));
  return at < 0 ? longest.length : at;
};

/** Starts the longest test files first; the others in the order that vitest knows from their size or last run. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const asKnown = super.sort.bind(this);
    return (await asKnown(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
