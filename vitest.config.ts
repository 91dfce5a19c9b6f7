import { defineConfig } from 'vitest/config';
import PlainReporter from './scripts/plain-reporter.ts';

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: ['default', new PlainReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['packages/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'packages/web/test/**'],
          globalSetup: 'packages/testing/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          // In a real Chromium, on the built app; after all others, so that nothing is slow for want of a core.
          name: 'web',
          include: ['packages/web/test/**/*.test.ts'],
          globalSetup: 'packages/web/test/build-app.ts',
          sequence: { groupOrder: 1 },
          testTimeout: 40_000,
          expect: { poll: { timeout: 8_000 } },
        },
      },
    ],
  },
});
