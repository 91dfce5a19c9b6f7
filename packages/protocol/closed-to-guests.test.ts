import { expect, test } from 'vitest';
import { leastRole, operationNames, operations } from './index.ts';

const source = (
  names: readonly string[],
): string => `// Written by closed-to-guests.test.ts from the declarations (npx vitest run --project service packages/protocol -u), so
// that a page which asks this does not load them.
import type { OperationName } from './operations/index.ts';

const closed: ReadonlySet<OperationName> = new Set([
${names.map((name) => `  '${name}',`).join('\n')}
]);

/** Whether a guest may call an operation (ROLE-2). */
export const isForGuests = (name: OperationName): boolean => !closed.has(name);
`;

test('ROLE-2: isForGuests is true of the operations that are declared for guests', async () => {
  const declared = operationNames.filter((name) => leastRole(operations[name].policy) !== 'guest');
  await expect(source(declared)).toMatchFileSnapshot('closed-to-guests.ts');
});
