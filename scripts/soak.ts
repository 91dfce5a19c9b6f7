// Runs the long versions of random and repeated tests: more seeds, more rounds, and every test on two nodes.
// `npm run soak -- --help` lists the options.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs, stripVTControlCharacters } from 'node:util';

interface Phase {
  what: string;
  /** Arguments of `vitest run`. */
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

interface Outcome {
  passed: number;
  failed: number;
  seconds: number;
}

/** Number of repeats by option: of a full soak, and of a short one. */
const counts = {
  seeds: { full: 200, short: 20, what: 'seeds of the simulation' },
  operations: { full: 300, short: 200, what: 'operations per seed' },
  'cluster-seeds': { full: 50, short: 4, what: 'seeds of the simulation on two nodes' },
  storms: { full: 60, short: 3, what: 'seeds of the SDK under a failing network' },
  'storm-length': { full: 240, short: 240, what: 'acts per storm' },
  cuts: { full: 300, short: 60, what: 'connections cut under the outbox' },
  'power-cuts': { full: 5_000, short: 500, what: 'power cuts of one recorded run' },
  messages: { full: 1_000, short: 160, what: 'messages sent in that run' },
  rounds: { full: 15, short: 4, what: 'kills of the service, and of nodes, under load' },
  'hands-kills': { full: 300, short: 30, what: 'kills of the service and of a server of tools, while agents call it' },
  'hands-node-kills': { full: 60, short: 8, what: 'kills of nodes and of a server of tools, while agents call it' },
  runs: { full: 200, short: 40, what: 'runs of the properties of caps and of decisions' },
  lists: { full: 40, short: 8, what: 'installations whose every list is read page by page' },
} as const;
type Count = keyof typeof counts;

const names = Object.keys(counts) as Count[]; // its own keys
const { values } = parseArgs({
  options: {
    short: { type: 'boolean' },
    only: { type: 'string' },
    help: { type: 'boolean' },
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  },
});
const print = (text: string) => process.stdout.write(`${text}\n`);

const countOf = (name: Count): string => {
  const given = values[name as keyof typeof values];
  const { full, short } = counts[name];
  return typeof given === 'string' ? given : String(values.short ? short : full);
};

const inService = (...files: string[]) => ['--project', 'service', ...files];
const phases: Readonly<Record<string, Phase>> = {
  simulation: {
    what: `${countOf('seeds')} seeds × ${countOf('operations')} operations`,
    args: inService('packages/testing/simulation/simulation.test.ts'),
    env: { SEEDS: countOf('seeds'), OPERATIONS: countOf('operations') },
  },
  storms: {
    what: `${countOf('storms')} storms × ${countOf('storm-length')} acts`,
    args: inService('packages/testing/sdk/storm.test.ts'),
    env: { STORM_SEEDS: countOf('storms'), STORM: countOf('storm-length') },
  },
  cuts: {
    what: `${countOf('cuts')} cuts`,
    args: inService('packages/testing/sdk/outbox-cuts.test.ts'),
    env: { CUTS: countOf('cuts') },
  },
  crash: {
    what: `${countOf('rounds')} kills of the service`,
    args: inService('packages/testing/crash/crash.test.ts'),
    env: { ROUNDS: countOf('rounds') },
  },
  hands: {
    what: `${countOf('hands-kills')} kills of the service and a server of tools, ${countOf('hands-node-kills')} of nodes and such a server`,
    args: inService('packages/testing/hands'),
    env: { HANDS_KILLS: countOf('hands-kills'), HANDS_NODE_KILLS: countOf('hands-node-kills') },
  },
  'power-cut': {
    what: `${countOf('power-cuts')} cuts of a run with ${countOf('messages')} messages`,
    args: inService('packages/testing/power-cut/power-cut.test.ts'),
    env: { POWER_CUTS: countOf('power-cuts'), MESSAGES: countOf('messages') },
  },
  nodes: {
    what: `${countOf('rounds')} rounds of each fault of a cluster`,
    args: inService('packages/testing/cluster/cluster.test.ts'),
    env: { ROUNDS: countOf('rounds') },
  },
  caps: {
    what: `${countOf('runs')} runs of each property`,
    args: inService('packages/server/test/log/caps-property.test.ts'),
    env: { RUNS: countOf('runs') },
  },
  decisions: {
    what: `${countOf('runs')} sequences of the model of decisions`,
    args: inService('packages/server/test/decisions/decision-model.test.ts'),
    env: { RUNS: countOf('runs') },
  },
  lists: {
    what: `${countOf('lists')} installations`,
    args: inService('packages/server/test/notifications/read-everything.test.ts'),
    env: { RUNS: countOf('lists') },
  },
  packages: {
    what: 'projects that install the packages, built with what the registry has today',
    args: ['--project', 'packages', '--mode', 'packages'],
  },
  cluster: {
    what: values.short
      ? `the simulation on two nodes, ${countOf('cluster-seeds')} seeds`
      : `every test of a world on two nodes, the simulation with ${countOf('cluster-seeds')} seeds`,
    args: [
      '--project',
      'cluster',
      '--mode',
      'worlds',
      ...(values.short ? ['packages/testing/simulation/simulation.test.ts'] : []),
    ],
    env: { CLUSTER_SEEDS: countOf('cluster-seeds') },
  },
};

/** Runs vitest and passes its output on, except for the line with the counts. */
async function run(name: string, { what, args, env }: Phase): Promise<Outcome> {
  print(`\n── ${name}: ${what}`);
  const startedAt = performance.now();
  const child = spawn('vitest', ['run', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  let [passed, failed] = [0, 0];
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /^(\d+) passed, (\d+) failed$/.exec(stripVTControlCharacters(line));
    if (found) [passed, failed] = [Number(found[1]), Number(found[2])];
    else print(line);
  }
  // A run that exits with an error without a failed test, or ran no test, counts as failed.
  if ((await ended) !== 0 || passed === 0) failed = Math.max(failed, 1);
  return { passed, failed, seconds: Math.round((performance.now() - startedAt) / 1_000) };
}

async function soak(chosen: readonly string[]): Promise<void> {
  const rows: string[] = [];
  const total = { passed: 0, failed: 0 };
  for (const name of chosen) {
    const phase = phases[name];
    if (!phase) throw new Error(`unknown phase ${name}; choose from ${Object.keys(phases).join(', ')}`);
    const { passed, failed, seconds } = await run(name, phase);
    total.passed += passed;
    total.failed += failed;
    rows.push(`${failed > 0 ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed in ${seconds} s (${phase.what})`);
  }
  print(['', ...rows, `${total.passed} passed, ${total.failed} failed`].join('\n'));
  if (total.failed > 0) process.exitCode = 1;
}

if (values.help) {
  print('npm run soak -- [--short] [--only NAME,NAME] [--COUNT N]');
  print(`\nPhases: ${Object.keys(phases).join(', ')}\n\nCounts (full, --short):`);
  for (const name of names) {
    const { full, short, what } = counts[name];
    print(`  --${name.padEnd(16)} ${what} (${full}, ${short})`);
  }
} else await soak(values.only?.split(',') ?? Object.keys(phases));
