/** True in `npm test`, which leaves many runs and large inputs to `npm run test:all` (vitest.config.ts sets it). */
export const isQuick = process.env['TEST_DEPTH'] === 'quick';

/** How often a property is tried: `count` times, in `npm test` a fifth of that. */
export const runsOf = (count: number): number => (isQuick ? Math.ceil(count / 5) : count);
