import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends a test run with `N passed, N failed` alone on a line, for whoever reads the output of CI.
 * Before it comes a line for each test that passed only on its retry: retries keep a run green, not flakiness hidden.
 * A file that could not be loaded and an error outside of any test count as failed: neither may look like success.
 */
export default class PlainReporter implements Reporter {
  #lines = '';

  onInit(): void {
    // At the exit, not at the end of the run: nothing is printed behind it.
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
