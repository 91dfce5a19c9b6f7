// What `npm test` leaves to `npm run test:all`, so that it takes minutes: tests that start many processes, build or install
// packages, play many seeds, cut the power, run on several nodes or measure frames, and tests of more than half a second
// whose rules have another test. A rule that can be tested in one process has a test in `npm test`; `npm run check-spec --
// --long` lists those whose only tests are here.

import { matchesGlob } from 'node:path';

/** Files of the projects `service` and `alone`. */
export const longTests = [
  // Start services, bots or commands, each in a process of its own.
  'packages/client/bot/{documentation,examples,new-bot,start}.test.ts',
  'packages/server/admin/{account,backend,emoji,postgres,store}-commands.test.ts',
  'packages/server/admin/file-copies.test.ts',
  'packages/server/admin/move/*.test.ts',
  'packages/server/test/description/readme-tour.test.ts',
  'packages/testing-kit/start-parley.test.ts',
  'packages/testing/bot/{python-sdk,suite}.test.ts',
  'packages/testing/documents/{commands,embedding,operator-commands,python-bot,recipes,running}.test.ts',
  'packages/server/code/code-runner.test.ts',
  'packages/server/files/inspector.test.ts',
  'packages/server/test/files/file-load.test.ts',
  'packages/server/test/search/search-files.test.ts',
  // Build, pack and install.
  'packages/guide/site.test.ts',
  'scripts/packages/packages.test.ts',
  // Random input, and faults that are repeated.
  'packages/testing/{crash,hands,power-cut,simulation}/*.test.ts',
  'packages/testing/sdk/{outbox-cuts,storm}.test.ts',
  // Several nodes, or a database server for each test.
  'packages/server/cluster/{nodes,peers,redis-buckets}.test.ts',
  'packages/server/test/cluster/{messages-at-once,nodes,started-node}.test.ts',
  'packages/server/{commits,files,search,store}/engines/postgres*.test.ts',
  'packages/testing/cluster/*.test.ts',
];

/** Tests of the web app in `npm test`: coming in, a talk, replies and a lost network, keyboard, phone, hostile texts. */
export const appCore = [
  'packages/web/test/app/{door,keyboard,missing,phone}.test.ts',
  'packages/web/test/messages/{hostile,replies,talk}.test.ts',
];

const isOneOf = (file: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matchesGlob(file, pattern));

export const isLong = (file: string): boolean => isOneOf(file, longTests);

/** Where a test or suite begins, with its indentation. */
const BEGIN = /^(?= *(?:test|describe|inChromium|embeddedTest)\w*\b)/m;

/** The source of a test file without the tests and suites that have the tag `long`. */
export function withoutLong(source: string): string {
  let longIndent = Infinity;
  const kept = source.split(BEGIN).filter((block) => {
    const indent = /^ */.exec(block)?.[0].length ?? 0;
    if (indent > longIndent) return false;
    const isTagged = /\btags: \[[^\]]*'long'/.test(block);
    // What is indented more is in this suite.
    longIndent = isTagged ? indent : Infinity;
    return !isTagged;
  });
  return kept.join('');
}

/** Whether `npm test` runs a file. Contract suites count as the files that call them, some of which are in it. */
export const isInQuickRun = (file: string): boolean =>
  file.startsWith('packages/web/test/') ? isOneOf(file, appCore) : !isLong(file);
