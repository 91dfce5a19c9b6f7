import type { Table } from './table.ts';

const log = 'the update log, which expires by age';
const ownState = 'the service’s own state';

/** The update log, and what the service keeps for itself. */
export const service = {
  audit: { key: ['key'], exported: 'the installation’s own record, which its owners read' },
  events: { key: ['seq'], exported: log, emptied: true },
  events_by_scope: {
    key: ['scope', 'seq'],
    exported: log,
    unmoved: 'the embedded engine fills it from `events`, and the other one does not use it',
    emptied: true,
  },
  events_trimmed: { key: ['scope'], exported: log },
  log_intents: {
    key: ['seq'],
    unchecked: { node_key: 'a node of several, which come and go' },
    exported: log,
    engine: 'postgres',
  },
  log_head: { key: ['id'], exported: log, engine: 'postgres' },
  log_unbroken: { key: ['id'], exported: log, engine: 'postgres' },
  meta: {
    key: ['name'],
    exported: ownState,
    unmoved: 'positions in the log of one engine',
  },
  service_settings: { key: ['name'], exported: ownState },
  service_keys: { key: ['name'], exported: ownState },
  nodes: { key: ['key'], exported: ownState, engine: 'postgres' },
  batches: {
    key: ['node_key', 'lane'],
    unchecked: { node_key: 'a node of several, which come and go' },
    exported: ownState,
    engine: 'postgres',
  },
  migrations: { key: ['number'], exported: ownState, engine: 'postgres' },
} as const satisfies Readonly<Record<string, Table>>;
