import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { isHere, type ProgramName } from './packages/testing/programs/programs.ts';
import { compileWords } from './packages/web/compile-words.ts';
import LongestFirst from './scripts/longest-first.ts';
import PlainReporter, { type LeftOut } from './scripts/plain-reporter.ts';
import { appCore, longTests } from './scripts/test-split.ts';

/** Test files whose worlds can run on several nodes. */
const everyWorldTest = [
  'packages/testing/{world/world,simulation/simulation}.test.ts',
  'packages/testing/{model,sdk}/*.test.ts',
  'packages/client/bot/*.test.ts',
  'packages/testing/bot/suite.test.ts',
  'packages/server/service/housekeeping.test.ts',
  'packages/server/test/**/*.test.ts',
  'packages/server/transport/{pages,slow-bodies,web-app}.test.ts',
];
/**
 * Those where a second node can change the result: what nodes announce to each other, forward, take over or count
 * together: `npx vitest run --project cluster --mode nodes`. `npm run soak` runs all of `everyWorldTest` (--mode worlds).
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
  'packages/server/test/*/{badges,caps,focus,handled-actions,inline,nodes,presence,privacy,push,push-liveness,sockets,typing}.test.ts',
  // Sessions end, and tries are counted, on all nodes at once.
  'packages/server/test/*/{half-sent,rate-limits,repeated-sends,session-ends,sessions,sign-in-tries}.test.ts',
  'packages/server/test/*/{blocks,deletes,deleted-accounts,groups,messages,scheduled}.test.ts',
];
/** One of each kind, for `npm run test:all`: every rule of several nodes has a test of its own besides. */
const someAcrossNodes = [
  'packages/testing/{world/world,simulation/simulation}.test.ts',
  'packages/testing/model/follower.test.ts',
  'packages/server/test/*/{late-ends,parts,snapshots,stops,stream-recovery,recovery,turn-queue}.test.ts',
  'packages/server/test/*/{badges,clock-steps,focus,inline,sockets,typing,sessions}.test.ts',
];
/** What the project `cluster` runs in a mode. */
const nodeTests: Readonly<Record<string, string[]>> = { quick: [], nodes: acrossNodes, worlds: everyWorldTest };
/** These load the service's modules in a way of their own, for which they must not be loaded yet. */
const alone = ['packages/server/store/engines/{sqlite,postgres}.test.ts'];
/** They measure what a page does within a frame: no other test may have the core. */
const timedPages = [
  'packages/web/test/messages/{scrolling,words,worst-messages}.test.ts',
  'packages/web/test/chats/many-chats.test.ts',
];

/** These install from the registry: `npm run try-packages`, and `npm run soak`. */
const realProjects = ['scripts/{packages/trials,clients}/*.test.ts'];
/** Real programs of others against the service: `npm run try-world`, and the nightly workflow. */
const realPrograms = 'scripts/world/*.test.ts';
/** The same in the app. */
const realProgramsInApp = 'scripts/world/app/*.test.ts';

/** In the engine of Safari: `npm run try-webkit`. */
const inWebKit = 'packages/web/test/webkit/*.test.ts';

const isCI = process.env['CI'] === 'true';
const cores = availableParallelism();

const leftOut: LeftOut[] = [];

/**
 * What a project runs if each of its tests needs these programs. Without one of them it has no files, so that nothing is
 * built and started for it; in CI its tests run and fail.
 */
function needing(
  names: readonly ProgramName[],
  project: string,
  files: { include: string[]; exclude?: string[] },
  env = {},
) {
  const missing = isCI ? [] : names.filter((name) => !isHere(name));
  if (missing.length > 0) leftOut.push({ project, missing, ...files });
  return {
    name: project,
    ...files,
    ...(missing.length > 0 && { include: [] }),
    env: { PROJECT_NEEDS: names.join(','), ...env },
  };
}

/** `npm test` is the mode `quick`; without it a run has all projects, and finds each file that it is asked for. */
export default defineConfig(({ mode }) => ({
  plugins: [compileWords()],
  test: {
    // A test waits for the thing itself: these limits only end one that would wait for ever.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // One test file at a time for each core; two on two cores, since many tests wait for a disk or a server.
    maxWorkers: Math.max(2, cores - 1),
    // Files share a worker and the modules loaded there: loading the service anew takes longer than most files' tests.
    // So a test leaves nothing behind in a module or in process.env.
    isolate: false,
    // In CI one hiccup of a shared machine does not fail the run; the reporter lists each test that needed its retry.
    retry: isCI ? 1 : 0,
    reporters: ['default', new PlainReporter(leftOut)],
    env: { TEST_DEPTH: mode === 'quick' ? 'quick' : 'all' },
    tags: [
      { name: 'program', description: 'asks for a program that npm ci does not bring' },
      { name: 'long', description: 'left out of npm test, like the files of scripts/test-split.ts' },
    ],
    setupFiles: 'packages/testing/programs/setup.ts',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['packages/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'packages/web/test/**',
            ...alone,
            ...realProjects,
            realPrograms,
            realProgramsInApp,
            ...(mode === 'quick' ? longTests : []),
          ],
          globalSetup: 'packages/testing/servers/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          exclude: mode === 'quick' ? longTests : [],
          isolate: true,
          globalSetup: 'packages/testing/servers/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          // Two nodes that share PostgreSQL and Redis, behind a balancer.
          ...needing(
            ['postgres', 'redis'],
            'cluster',
            { include: nodeTests[mode] ?? someAcrossNodes },
            { NODES: '2', SEEDS: process.env['CLUSTER_SEEDS'] ?? '2', RUNS: process.env['RUNS'] ?? '10' },
          ),
          globalSetup: 'packages/testing/servers/global-setup.ts',
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          // In a real Chromium, on the built app. Tests wait for pages half of the time, so two at once take a third less.
          maxWorkers: 2,
          ...needing(['chromium'], 'web', {
            include: mode === 'quick' ? appCore : ['packages/web/test/**/*.test.ts'],
            exclude: [...timedPages, inWebKit],
          }),
          globalSetup: 'packages/web/test/setup/global-setup.ts',
          sequence: { groupOrder: 2 },
          expect: { poll: { timeout: 8_000 } },
        },
      },
      {
        extends: true,
        test: {
          maxWorkers: 1,
          ...needing(['chromium'], 'web-timing', { include: mode === 'quick' ? [] : timedPages }),
          globalSetup: 'packages/web/test/setup/global-setup.ts',
          sequence: { groupOrder: 3 },
          expect: { poll: { timeout: 8_000 } },
        },
      },
      ...(mode === 'webkit'
        ? [
            {
              extends: true as const,
              test: {
                name: 'webkit',
                include: [inWebKit],
                globalSetup: 'packages/web/test/setup/build-app.ts',
                testTimeout: 60_000,
              },
            },
          ]
        : []),
      ...(mode === 'world'
        ? [
            {
              extends: true as const,
              test: {
                name: 'world',
                include: [realPrograms],
                globalSetup: 'packages/testing/servers/global-setup.ts',
              },
            },
            {
              extends: true as const,
              test: {
                maxWorkers: 1,
                ...needing(['chromium'], 'world-app', { include: [realProgramsInApp] }),
                globalSetup: 'packages/web/test/setup/global-setup.ts',
                sequence: { groupOrder: 1 },
              },
            },
          ]
        : []),
      ...(mode === 'packages'
        ? [
            {
              extends: true as const,
              test: {
                ...needing(['chromium'], 'packages', { include: realProjects }),
                globalSetup: 'packages/web/test/setup/global-setup.ts',
              },
            },
          ]
        : []),
    ],
  },
}));
