// The benchmark: this service compared with relays that store nothing, in one run. Each scenario is a file in
// scenarios/, the load comes from a separate process (load/), servers are child processes (processes/, baselines/,
// service/).
import { writeFile } from 'node:fs/promises';
import { buildOlder } from './against.ts';
import { Bench, endAll } from './bench.ts';
import type { Shared } from './bench.ts';
import { describeMachine, otherWork } from './machine.ts';
import { isNamed, readOptions, usage } from './options.ts';
import type { Options } from './options.ts';
import { endAllChildren } from './processes/child.ts';
import { table } from './report.ts';
import type { Row } from './report.ts';
import { verdictOf } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { removeAllDataDirs } from './service/data-dirs.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

function optionsOrExit(): Options {
  try {
    return readOptions(
      process.argv.slice(2),
      scenarios.map((scenario) => scenario.key),
    );
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    return process.exit(2);
  }
}

/** A busy machine measures itself: no table is better than a wrong one. */
function refuseBusy(what: string | undefined): void {
  if (what === undefined || options.busy) return;
  process.stderr.write(`no figures: ${what} (--busy measures nevertheless)\n`);
  process.exit(3);
}

const options = optionsOrExit();
process.on('exit', () => {
  endAllChildren();
  removeAllDataDirs();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

refuseBusy(await otherWork());
const startMs = performance.now();
const machine = await describeMachine();
print(
  `${machine.cores} cores (${machine.cpu}), ${machine.memoryGib} GiB, Node ${machine.node}, ` +
    `a durable write of 4 KiB ${machine.syncMs} ms${options.quick ? '; quick: one short round each' : ''}`,
);

const older = options.against === undefined ? undefined : await buildOlder(options.against);
if (older) print(`against ${older.commit}`);
const shared: Shared = { endings: [] };
const rows: Row[] = [];
const errors: string[] = [];
for (const scenario of scenarios) {
  if (options.only !== undefined && !options.only.some((name) => isNamed(scenario.key, name))) continue;
  const scenarioStartMs = performance.now();
  print(`\n${scenario.key}: ${scenario.title}`);
  const lacking = scenario.lacks?.();
  if (lacking !== undefined) {
    print(`  skipped: ${lacking}`);
    continue;
  }
  const bench = new Bench({ ...options, against: older?.entry, print }, shared);
  const outcome = await bench.attempt(scenario.key, () => scenario.run(bench));
  await bench.attempt('ending', () => bench.close());
  rows.push({ key: scenario.key, outcome });
  errors.push(...bench.errors.map((error) => `${scenario.key}: ${error}`));
  bench.note(`(${((performance.now() - scenarioStartMs) / 1_000).toFixed(1)} s)`);
}
await endAll(shared.endings);
refuseBusy(await otherWork());

const seconds = (performance.now() - startMs) / 1_000;
print(`\n${table(rows)}\n\n${seconds.toFixed(0)} s in total`);
if (options.json !== undefined) {
  const figures = Object.fromEntries(
    rows.flatMap(({ key, outcome }) => [[key, outcome?.figures ?? null], ...Object.entries(outcome?.more ?? {})]),
  );
  const run = { quick: options.quick, seconds: Math.round(seconds), at: new Date().toISOString(), machine };
  await writeFile(options.json, `${JSON.stringify({ ...figures, run }, null, 2)}\n`);
}
// A missed target is still a measurement; only a failed measurement fails the run, and a limit that was asked for.
const limits = rows.flatMap(({ outcome }) => outcome?.lines.filter((line) => line.isLimit) ?? []);
const isTooDear = limits.some((line) => verdictOf(line) === 'SHORT');
if (isTooDear) print(`more than ${options.mostCpu} times the processor time of ${older?.commit}`);
const isUnknown = options.mostCpu !== undefined && limits.every((line) => line.value === undefined);
if (isUnknown) print(`no processor time of a message was compared with that of ${older?.commit}`);
process.exit(errors.length > 0 || isTooDear || isUnknown ? 1 : 0);
