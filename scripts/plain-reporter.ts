import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends the output of a test run with the line `N passed, N failed`, for readers and tools of CI. Before it, each test
 * that passed only on its retry gets a line, so that retries do not hide flaky tests. A file that cannot be loaded and
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
          retried.push(`passed only when run again: ${module.relativeModuleId} > ${test.fullName}\n`);
      // A failed file without a failed test: an import, a hook or the file's own code threw.
      failed += module.state() === 'failed' ? Math.max(failures, 1) : failures;
    }
    this.#lines = `${retried.join('')}${passed} passed, ${failed} failed\n`;
  }
}
