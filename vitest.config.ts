import { defineConfig } from 'vitest/config';
import PlainReporter from './scripts/plain-reporter.ts';

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: ['default', new PlainReporter()],
  },
});
