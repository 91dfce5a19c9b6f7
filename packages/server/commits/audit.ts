import type { Caller } from '../access/call.ts';
import { renderJson } from '../core/json.ts';
import { SHELL } from '../rules/names-for-all.ts';
import { insertAudit } from '../store/audit.ts';
import type { UnitCall } from './unit-call.ts';

/** What a row of the audit says besides its time, action and address. It never holds a password, token, key or link. */
export interface AuditEntry {
  /** By default the name of the operation. */
  action?: string;
  /** A username; by default the caller's. null: an attempt of nobody who is known. */
  actor?: string | null;
  /** The admin command has done it: its actor is `shell`. */
  isByShell?: true;
  /** The username, or the id, of what was changed; of a group of people its name. */
  target?: string | undefined;
  /** Names, ids, counts and chosen values; no text of people. */
  details?: AuditDetails | undefined;
}
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[] | undefined>>;

/**
 * What the row of one operation says, from its input (without the fields that are withheld from its unit) and its
 * result. null: nothing was changed, and there is no row.
 */
export type AuditRule<Input, Returned> = (input: Input, returned: Returned, caller: Caller) => AuditEntry | null;

/** Maximum length of `details` in characters; longer ones are replaced by their length. */
const MAX_DETAILS = 4_096;

type Writer = Pick<UnitCall, 'tx' | 'now' | 'newId'> & { caller?: Caller; address?: string | undefined };

/** Adds a row to the audit, in the transaction of what it tells of. Nothing else writes one (AUDIT-1). */
export async function writeAudit(call: Writer, name: string, entry: AuditEntry): Promise<void> {
  const { action = name, target = null, details } = entry;
  const actor = entry.isByShell ? SHELL : actorName(entry.actor === undefined ? call.caller?.username : entry.actor);
  // The service itself has no username: a unit without a caller must say whose act it is.
  if (actor === undefined || actor === '') throw new Error(`the audit of ${action} names no actor`);
  const text = details && JSON.stringify(details);
  const kept = text !== undefined && text.length > MAX_DETAILS ? JSON.stringify({ length: text.length }) : text;
  await call.tx.run(
    insertAudit,
    call.newId(),
    call.now,
    actor,
    action,
    target,
    kept === undefined || kept === '{}' ? null : kept,
    plainAddress(call.address),
  );
}

/** An account of that name can be older than the audit: its rows are told apart from those of the shell (AUDIT-2). */
const actorName = <Name extends string | null | undefined>(actor: Name) => (actor === SHELL ? `@${SHELL}` : actor);

/** An IPv4 address in its own form, also if it came over an IPv6 socket; null if it is not known. */
export const plainAddress = (address: string | undefined): string | null =>
  address === undefined || address === '' ? null : address.replace(/^::ffff:(?=\d+\.)/i, '');

type Handle<Input, Returned> = (call: UnitCall, input: Input, prepared: never) => Returned;

/**
 * Makes a unit write its row of the audit, after its own changes and in the same transaction: without the one there is
 * never the other.
 */
export function audited<Input, Unit extends Handle<Input, unknown>>(
  action: string,
  rule: AuditRule<Input, never> | undefined,
  handle: Unit,
): Unit & { readonly isAudited: boolean } {
  if (!rule) return Object.assign(handle, { isAudited: false });
  const unit = async (call: UnitCall, input: Input, prepared: never) => {
    const returned = await handle(call, input, prepared);
    const plain = returned === undefined ? undefined : (JSON.parse(renderJson(returned)) as unknown);
    // The rule is declared with this unit, for what the unit returns.
    const entry = rule(input, plain as never, call.caller);
    if (entry) await writeAudit(call, action, entry);
    return returned;
  };
  // It takes and returns what `handle` does; a unit's result is awaited, so a promise of it is one as well.
  return Object.assign(unit as unknown as Unit, { isAudited: true });
}
