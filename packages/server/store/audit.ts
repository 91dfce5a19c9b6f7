// The audit: what was done to the installation, its accounts and its rights (AUDIT-1). It is only added to and read.
import { type Awaitable, type Sql, statement } from './sql.ts';

export interface AuditRow {
  key: number;
  id: Uint8Array;
  at: number;
  actor: string | null;
  action: string;
  target: string | null;
  /** JSON text. */
  details: string | null;
  address: string | null;
}

export const insertAudit = statement<
  never,
  [
    id: Uint8Array,
    at: number,
    actor: string | null,
    action: string,
    target: string | null,
    details: string | null,
    address: string | null,
  ]
>('INSERT INTO audit (id, at, actor, action, target, details, address) VALUES ($1, $2, $3, $4, $5, $6, $7)');
/** Refused calls of an operation since a time: in all, and from one address. Rows of other actions can lack an actor too. */
export const failuresSince = statement<
  { total: number; here: number },
  [since: number, action: string, address: string]
>(
  `SELECT count(*) AS total, coalesce(sum(CASE WHEN address = $3 THEN 1 ELSE 0 END), 0) AS here
   FROM audit WHERE actor IS NULL AND at > $1 AND action = $2`,
);
/** Refused calls of an operation since a time that name this target. */
export const failuresOf = statement<{ count: number }, [since: number, action: string, target: string]>(
  'SELECT count(*) AS count FROM audit WHERE target = $3 AND actor IS NULL AND at > $1 AND action = $2',
);

/** Bounds of a page of the audit, newest first: rows below `(beforeAt, beforeKey)`, from `afterAt` on. */
type Page = [beforeAt: number, beforeKey: number, afterAt: number, limit: number];

/** The filters of `getAudit`; each combination is a statement of its own, so that each finds its index. */
export const auditFilters = ['actor', 'target', 'action'] as const;
type Filter = (typeof auditFilters)[number];

const pages = new Map(
  Array.from({ length: 2 ** auditFilters.length }, (_, bits) => {
    const used = auditFilters.filter((_name, at) => bits & (1 << at));
    const where = used.map((name, at) => ` AND a.${name} = $${5 + at}`).join('');
    return [
      used.join(),
      statement<AuditRow, [...Page, ...string[]]>(
        `SELECT a.key, a.id, a.at, a.actor, a.action, a.target, a.details, a.address FROM audit a
         WHERE (a.at, a.key) < ($1, $2) AND a.at >= $3${where} ORDER BY a.at DESC, a.key DESC LIMIT $4`,
      ),
    ] as const;
  }),
);

/** A page of the audit: rows with these values, newest first. */
export function auditPage(
  tx: Sql,
  wanted: { readonly [Name in Filter]?: string | undefined },
  page: Page,
): Awaitable<AuditRow[]> {
  const used = auditFilters.filter((name) => wanted[name] !== undefined);
  const statementOf = pages.get(used.join());
  if (!statementOf) throw new Error('the audit has no such filter');
  return tx.all(statementOf, ...page, ...used.flatMap((name) => wanted[name] ?? []));
}
