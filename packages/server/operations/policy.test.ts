import { leastRole, type Operation, operationGroups, type OperationName, operations } from '@parley/protocol';
import { expect, test } from 'vitest';
import { everything, inChat, joinsChat, nothing, ofCaller } from '../commits/unit-locks.ts';
import type { Handler } from './handler.ts';
import { handlers } from './index.ts';

const header = `Who may call each operation, how often, and what else is decided before its handler runs, from its declaration
(packages/protocol/operations) and its handler (packages/server/operations). After a change of policy write it anew with
npx vitest run --project service packages/server/operations -u, and review the difference.

runs       read, or unit: in a transaction of the store; live: in memory, in order with the socket's writes; relay: waits for others
token      required, or none
limited    whether a limited session may call it (TOKEN-6)
role       the least role in the service that may call it (ROLE-2)
scope      with which an access token may call it (ACCESS-6); – for none
rate       the class of packages/protocol/operation.ts (LIMIT-1, LIMIT-2)
full disk  whether it is allowed while the disk is full (LIMIT-23)
locks      of a unit (CLUSTER-30): all, a rule that several units share, or a rule of its own
`;

const runsAs = (handler: Handler): string =>
  handler.kind === 'unit' ? 'unit' : handler.isWrite ? 'live' : handler.isRelay ? 'relay' : 'read';

function onFullDisk({ addsData }: Handler): string {
  if (typeof addsData === 'function') return 'by input';
  return addsData ? 'refused' : 'allowed';
}

const shared = new Map<unknown, string>(
  Object.entries({ everything, inChat, joinsChat, nothing, ofCaller }).map(([name, rule]) => [rule, name]),
);
const locksOf = (handler: Handler): string =>
  handler.kind === 'unit' ? (shared.get(handler.handle.locks) ?? 'own') : '–';

const columns: readonly [title: string, width: number, cell: (name: OperationName) => string][] = [
  ['operation', 27, (name) => name],
  ['runs', 6, (name) => runsAs(handlers[name])],
  ['token', 9, (name) => (operations[name].policy.open ? 'none' : 'required')],
  ['limited', 8, (name) => (operations[name].policy.limitedSessions ? 'yes' : '–')],
  ['role', 9, (name) => leastRole(operations[name].policy)],
  ['scope', 7, (name) => operations[name].policy.scope ?? '–'],
  ['rate', 15, (name) => operations[name].policy.rate],
  ['full disk', 10, (name) => onFullDisk(handlers[name])],
  ['locks', 10, (name) => locksOf(handlers[name])],
  ['more', 0, more],
];

/** What few operations have. */
function more(name: OperationName): string {
  const { methods = [], upload, policy }: Operation = operations[name];
  const handler: Handler = handlers[name];
  const unit = handler.kind === 'unit' ? handler : undefined;
  return [
    methods.map((method) => method.name).join(', '),
    upload && 'takes a file',
    unit?.handle.isAudited && 'audited',
    policy.notByToken && `access tokens may not give ${policy.notByToken.join(', ')}`,
    unit?.withheld && `withholds ${unit.withheld.join(', ')}`,
    unit?.posts && 'decides itself whether it posts',
    unit?.messageCount && 'counts its messages itself',
    handler.kind === 'read' && handler.waits && 'waits, so it is no page',
    // The fields by which operations name what they work on.
    handler.kind === 'read' &&
      handler.worksOn &&
      `on the node of its ${handler.worksOn({ message_id: '', query_id: '', socket: '' })?.kind}`,
  ]
    .filter(Boolean)
    .join('; ');
}

const line = (cell: (column: (typeof columns)[number]) => string): string =>
  columns
    .map((column) => cell(column).padEnd(column[1]))
    .join(' ')
    .trimEnd();

const inventory = (): string =>
  [
    header,
    line(([title]) => title),
    ...operationGroups.flatMap(({ title, names }) => [
      '',
      `# ${title}`,
      ...names.map((name) => line(([, , cell]) => cell(name))),
    ]),
    '',
  ].join('\n');

test('ACCESS-6, LIMIT-1, LIMIT-2, LIMIT-23, ROLE-2, TOKEN-6: the policy of every operation is as reviewed', async () => {
  await expect(inventory()).toMatchFileSnapshot('policy.txt');
});

test('LIMIT-1: every operation that writes or reaches other accounts has a rate, or continues a counted call', () => {
  const names = operationGroups.flatMap((group) => group.names);
  const writes = (name: OperationName) => runsAs(handlers[name]) !== 'read';
  expect(names.filter((name) => writes(name) && operations[name].policy.rate === 'none')).toEqual([]);
});
