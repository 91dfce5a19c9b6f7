import { defineConfig } from 'vitest/config';
import PlainReporter from './scripts/plain-reporter.ts';

/** Test files whose worlds can run on several nodes. */
const everyWorldTest = [
  'packages/testing/{world,simulation}.test.ts',
  'packages/testing/{model,sdk}/*.test.ts',
  'packages/client/bot/*.test.ts',
  'packages/server/service/housekeeping.test.ts',
  'packages/server/test/*.test.ts',
  'packages/server/transport/{pages,slow-bodies,web-app}.test.ts',
];
/**
 * Test files that run on several nodes only with `--mode all`: they test a single node's answers or the store, or take
 * minutes. The others take about ten minutes on two cores.
 */
const oneNodeIsEnough = [
  'packages/testing/sdk/storm.test.ts',
  'packages/client/bot/*.test.ts',
  'packages/server/service/housekeeping.test.ts',
  // Requests and answers of one node.
  'packages/server/test/{bad-input,deployment,description,large-answers,origins,password-tries,permissions}.test.ts',
  'packages/server/test/{readme-tour,reads-in-slices,socket-frames,socket-requests,start,start-cost}.test.ts',
  'packages/server/test/{store-faults,store-thread,transport}.test.ts',
  'packages/server/transport/{pages,slow-bodies,web-app}.test.ts',
  // Stored data.
  'packages/server/test/{avatars,bot-config,bot-secrets,bots,component-actions,context,edits,exports}.test.ts',
  'packages/server/test/{file-load,file-uploads,forwards,group-descriptions,history,invites,joining,keys}.test.ts',
  'packages/server/test/{notifications,pins-reactions,profiles,run-config,timelines,token-cap,usage,usage-books}.test.ts',
  // Queues and rates that each node has for itself.
  'packages/server/test/{large-drafts,push-crash,push-services,push-take-back,read-everything,take-back-order}.test.ts',
];

export default defineConfig(({ mode }) => ({
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: ['default', new PlainReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['packages/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'packages/web/test/**'],
          globalSetup: 'packages/testing/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          // Runs the same tests on two nodes that share PostgreSQL and Redis, behind a balancer.
          name: 'cluster',
          include: everyWorldTest,
          exclude: ['**/node_modules/**', ...(mode === 'all' ? [] : oneNodeIsEnough)],
          env: { NODES: '2', SEEDS: process.env['SEEDS'] ?? '5', RUNS: process.env['RUNS'] ?? '25' },
          globalSetup: 'packages/testing/global-setup.ts',
          setupFiles: 'packages/testing/cluster-setup.ts',
          sequence: { groupOrder: 1 },
          testTimeout: 40_000,
        },
      },
      {
        extends: true,
        test: {
          // Runs in a real Chromium on the built app; last, so that other tests do not slow it down.
          name: 'web',
          include: ['packages/web/test/**/*.test.ts'],
          globalSetup: 'packages/web/test/build-app.ts',
          sequence: { groupOrder: 2 },
          testTimeout: 40_000,
          expect: { poll: { timeout: 8_000 } },
        },
      },
    ],
  },
}));
