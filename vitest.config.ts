import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import PlainReporter from './scripts/plain-reporter.ts';

/** Test files whose worlds can run on several nodes. */
const everyWorldTest = [
  'packages/testing/{world/world,simulation/simulation}.test.ts',
  'packages/testing/{model,sdk}/*.test.ts',
  'packages/client/bot/*.test.ts',
  'packages/server/service/housekeeping.test.ts',
  'packages/server/test/**/*.test.ts',
  'packages/server/transport/{pages,slow-bodies,web-app}.test.ts',
];
/**
 * Those where a second node can change the result: what nodes announce to each other, forward, take over or count
 * together. `--mode all` runs all of `everyWorldTest` on two nodes; `npm run soak` uses it.
 */
const acrossNodes = [
  'packages/testing/{world/world,simulation/simulation}.test.ts',
  'packages/testing/{model,sdk}/{follower,outbox-cuts,store}.test.ts',
  // Open replies belong to one node; the others show them.
  'packages/server/test/*/{drafts,draft-patches,late-ends,open-streams,repeated-ends,snapshots}.test.ts',
  'packages/server/test/*/{stops,stream-ends,stream-recovery,streams}.test.ts',
  // Agent turns, and what becomes of them when their node ends.
  'packages/server/test/*/{dispatch,recovery,turn-queue,turns}.test.ts',
  // Frames, presence and pushes reach sockets on every node.
  'packages/server/test/*/{badges,caps,focus,inline,nodes,privacy,push,push-liveness,sockets,typing}.test.ts',
  // Sessions end, and tries are counted, on all nodes at once.
  'packages/server/test/*/{half-sent,rate-limits,repeated-sends,session-ends,sessions,sign-in-tries}.test.ts',
  'packages/server/test/*/{blocks,deletes,deleted-accounts,groups,messages}.test.ts',
];

const isCI = process.env['CI'] === 'true';

export default defineConfig(({ mode }) => ({
  test: {
    // Test files share a process and its loaded modules: importing the service again for each file would take longer than
    // most files' tests. Tests keep no state in modules; what they change in the process, they change back.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // One test file at a time for each core; two on two cores, since many tests wait for a disk or a server.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // In CI one hiccup of a shared machine does not fail the run; the reporter lists each test that needed its retry.
    retry: isCI ? 1 : 0,
    reporters: ['default', new PlainReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['packages/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'packages/web/test/**'],
          globalSetup: 'packages/testing/servers/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          // Two nodes that share PostgreSQL and Redis, behind a balancer.
          name: 'cluster',
          include: mode === 'all' ? everyWorldTest : acrossNodes,
          exclude: ['**/node_modules/**'],
          env: { NODES: '2', SEEDS: process.env['SEEDS'] ?? '2', RUNS: process.env['RUNS'] ?? '10' },
          globalSetup: 'packages/testing/servers/global-setup.ts',
          setupFiles: 'packages/testing/servers/cluster-setup.ts',
          sequence: { groupOrder: 1 },
          testTimeout: 40_000,
        },
      },
      {
        extends: true,
        test: {
          // In a real Chromium, on the built app; one file at a time and after all others, so that
          // no page is slow because another test has the core.
          name: 'web',
          maxWorkers: 1,
          include: ['packages/web/test/**/*.test.ts'],
          globalSetup: 'packages/web/test/setup/build-app.ts',
          sequence: { groupOrder: 2 },
          testTimeout: 40_000,
          expect: { poll: { timeout: 8_000 } },
        },
      },
    ],
  },
}));
