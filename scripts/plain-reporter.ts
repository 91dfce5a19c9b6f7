import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends a test run with `N passed, N failed` alone on a line, for whoever reads the output of CI.
 * A file that could not be loaded and an error outside of any test count as failed: neither may look like success.
 */
export default class PlainReporter implements Reporter {
  #line = '';

  onInit(): void {
    // At the exit, not at the end of the run: nothing is printed behind it.
    process.once('exit', () => process.stdout.write(this.#line));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      const failures = [...module.children.allTests('failed')].length;
      passed += [...module.children.allTests('passed')].length;
      // A failed file without a failed test: an import, a hook or the file's own code threw.
      failed += module.state() === 'failed' ? Math.max(failures, 1) : failures;
    }
    this.#line = `${passed} passed, ${failed} failed\n`;
  }
}
