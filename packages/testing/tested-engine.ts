import { test } from 'vitest';
import { nodesByDefault } from './world-data.ts';

/** A test of what only one process with its data in files has; which, says the reason. */
export const embeddedTest = (_why: string): typeof test.skip => (nodesByDefault() > 0 ? test.skip : test);
