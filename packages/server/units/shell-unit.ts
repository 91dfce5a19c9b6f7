import { audited, type AuditEntry } from '../commits/audit.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { type everything, internalUnit, type nothing } from '../commits/unit-locks.ts';

/** The row of a command of the shell: `command` is its name, as it is typed. */
export interface ShellEntry extends Pick<AuditEntry, 'target' | 'details'> {
  command: string;
}

/**
 * Declares a unit of the admin command with the row of the audit that it writes; null: another unit of the same command
 * writes it.
 */
export const shellUnit = <Input, Returned>(
  {
    locks,
    audit,
  }: {
    locks: typeof everything | typeof nothing;
    audit: ((input: NoInfer<Input>, returned: Awaited<NoInfer<Returned>>) => ShellEntry) | null;
  },
  handle: (call: UnitCall, input: Input) => Returned,
) => {
  const rule = (input: Input, returned: Awaited<Returned>): AuditEntry => {
    const { command, ...entry } = audit?.(input, returned) ?? { command: '' };
    return { ...entry, action: command, isByShell: true };
  };
  return internalUnit({ locks }, audited('', audit ? rule : undefined, handle));
};
