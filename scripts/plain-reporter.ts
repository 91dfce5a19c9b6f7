import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Enough lines of an error to see what was expected, and where. */
const MOST_LINES = 12;

/** The first error of a test, without the lines of libraries. */
const reasonOf = (test: TestCase): string => {
  const [first] = test.result().errors ?? [];
  const lines = (first?.stack ?? first?.message ?? '').split('\n').filter((line) => !line.includes('/node_modules/'));
  return lines
    .slice(0, MOST_LINES)
    .map((line) => `    ${line}\n`)
    .join('');
};

/**
 * Ends the output of a test run with the line `N passed, N failed`, for readers and tools of CI. Before it, each test
 * that passed only on its retry is named with its first error, so that retries do not hide flaky tests. A file that cannot be loaded and
 * an error outside of any test count as failed, so that neither looks like success.
 */
export default class PlainReporter implements Reporter {
  #lines = '';

  onInit(): void {
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
    this.#lines = `${retried.join('')}${passed} passed, ${failed} failed\n`;
  }
}
