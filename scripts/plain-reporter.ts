import { globSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node';
import { howToHave, type ProgramName, programNames, programs } from '../packages/testing/programs/programs.ts';

/** Enough lines of an error to see what was expected, and where. */
const MAX_LINES = 12;

/** The first error of a test, without the lines of libraries. */
const reasonOf = (test: TestCase): string => {
  const [first] = test.result().errors ?? [];
  const lines = (first?.stack ?? first?.message ?? '').split('\n').filter((line) => !line.includes('/node_modules/'));
  return lines
    .slice(0, MAX_LINES)
    .map((line) => `    ${line}\n`)
    .join('');
};

/** The test files of a project that does not run, since these programs are missing. */
export interface LeftOut {
  readonly project: string;
  readonly missing: readonly ProgramName[];
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

const needs = (count: number, name: ProgramName): string =>
  `${count === 1 ? 'needs' : 'need'} ${programs[name].name}: `;

/** Whether the output of a test run says how to have a program without which something was skipped. */
export const saysHowToHave = (output: string, name: ProgramName): boolean =>
  [1, 2].some((count) => output.includes(` ${needs(count, name)}`));

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** A run of fewer files needs no summary of its time. */
const MANY_FILES = 20;
const SLOWEST = 10;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;
const timeOf = (module: TestModule): number => {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return duration + collectDuration + setupDuration;
};
const timeOfAll = (modules: readonly TestModule[]): number => modules.reduce((sum, module) => sum + timeOf(module), 0);

/** How long the files of each project took one after another, and which took longest; empty for few files. */
function times(modules: readonly TestModule[]): string {
  if (modules.length < MANY_FILES) return '';
  const projects = Array.from(Map.groupBy(modules, ({ project }) => project.name))
    .map(([name, own]) => `${name} ${seconds(timeOfAll(own))} in ${counted(own.length, 'file')}`)
    .join(', ');
  const slowest = modules
    .toSorted((one, other) => timeOf(other) - timeOf(one))
    .slice(0, SLOWEST)
    .map((module) => `    ${seconds(timeOf(module))} ${module.relativeModuleId}\n`)
    .join('');
  return `time of files: ${projects}; the slowest:\n${slowest}`;
}

/**
 * Ends the output of a test run with the line `N passed, N failed`, for readers and tools of CI. Before it, each test
 * that passed only on its retry is named with its first error, so that retries do not hide flaky tests, and a line for
 * each program without which tests were skipped says how to have it; of many files it says where the time went. A file that cannot be loaded and an error outside of
 * any test count as failed, so that neither looks like success.
 */
export default class PlainReporter implements Reporter {
  #lines = '';
  #vitest: Vitest | undefined;
  readonly #leftOut: readonly LeftOut[];

  constructor(leftOut: readonly LeftOut[] = []) {
    this.#leftOut = leftOut;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    // Print at the exit, not at the end of the run, so that nothing follows it.
    process.once('exit', () => process.stdout.write(this.#lines));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    const retried: string[] = [];
    let failed = unhandled.length;
    for (const module of modules) {
      const failures = [...module.children.allTests('failed')].length;
      passed += [...module.children.allTests('passed')].length;
      for (const test of module.children.allTests('passed'))
        if (test.diagnostic()?.flaky)
          retried.push(`passed only when run again: ${module.relativeModuleId} > ${test.fullName}\n${reasonOf(test)}`);
      // A failed file without a failed test: an import, a hook or the file's own code threw.
      failed += module.state() === 'failed' ? Math.max(failures, 1) : failures;
    }
    const skipped = programNames.map((name) => this.#skippedWithout(name, modules));
    this.#lines = `${times(modules)}${retried.join('')}${skipped.join('')}${passed} passed, ${failed} failed\n`;
  }

  /** The line about what needs this program; empty if nothing was skipped without it. */
  #skippedWithout(name: ProgramName, modules: readonly TestModule[]): string {
    const tests = modules
      .flatMap((module) => [...module.children.allTests('skipped')])
      .filter((test) => test.meta()[`lacks ${name}`]).length;
    const files = this.#filesLeftOut(name);
    const what = [...(tests > 0 ? [counted(tests, 'test')] : []), ...(files > 0 ? [counted(files, 'test file')] : [])];
    if (what.length === 0) return '';
    return `skipped: ${what.join(' and ')} ${needs(tests + files, name)}${howToHave(name)}\n`;
  }

  /** Of the files that this run was asked for, by path or by project. */
  #filesLeftOut(name: ProgramName): number {
    const projects = new Set(this.#vitest?.projects.map((project) => project.name));
    // Not in vitest's types: the parts of paths that the command line names.
    const asked = (this.#vitest as { filenamePattern?: readonly string[] } | undefined)?.filenamePattern;
    return this.#leftOut
      .filter(({ project, missing }) => projects.has(project) && missing.includes(name))
      .flatMap(({ include, exclude }) =>
        globSync([...include], { exclude: [...(exclude ?? []), '**/node_modules/**'] }),
      )
      .filter((file) => !asked?.length || asked.some((part) => file.includes(part))).length;
  }
}
