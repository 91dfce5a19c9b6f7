import { expect, test } from 'vitest';
import { operationNames, operations } from './index.ts';

const source = (
  names: readonly string[],
): string => `// Written by limited-sessions.test.ts from the declarations (npx vitest run --project service packages/protocol -u), so
// that a page which asks this does not load them.
import type { OperationName } from './operations/index.ts';

const allowed: ReadonlySet<OperationName> = new Set([
${names.map((name) => `  '${name}',`).join('\n')}
]);

/** Whether a limited session may call an operation (TOKEN-6). */
export const isForLimited = (name: OperationName): boolean => allowed.has(name);
`;

test('TOKEN-6: isForLimited is true of the operations that are declared for limited sessions', async () => {
  const declared = operationNames.filter((name) => operations[name].policy.limitedSessions);
  await expect(source(declared)).toMatchFileSnapshot('limited-sessions.ts');
});
