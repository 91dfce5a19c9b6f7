import { type OperationName, operations } from '@parley/protocol';
import { ServiceError } from '../core/errors.ts';
import type { Clock } from '../core/clock.ts';
import { handlers } from '../operations/index.ts';
import type { Handler } from '../operations/handler.ts';
import type { Refusal } from '../units/note-refusal.ts';
import { theService, type UnitQueue } from './unit-queue.ts';

interface RefusedCall {
  name: OperationName;
  /** The fields as they came. */
  params: unknown;
  address: string;
}

/**
 * Notes in the audit that a call was refused, if its operation has a row for that (AUDIT-6). The refused call has no
 * unit that could hold the row, so the row has one of its own; the caller's answer does not depend on it.
 */
export async function noteRefusal(
  { units, clock }: { units: UnitQueue; clock: Clock },
  { name, params, address }: RefusedCall,
  error: unknown,
): Promise<void> {
  const handler: Handler = handlers[name];
  if (handler.kind !== 'unit' || !handler.auditRefusal || !(error instanceof ServiceError)) return;
  const parsed = operations[name].input.safeParse(params ?? {});
  // Was parsed by this operation's declaration.
  const entry = parsed.success ? handler.auditRefusal(error, parsed.data) : null;
  if (!entry) return;
  const refusal: Refusal = { action: name, entry };
  await units.run('noteRefusal', theService, refusal, clock.now(), { address }).catch(() => {});
}
