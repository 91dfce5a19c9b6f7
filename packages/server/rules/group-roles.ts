type Role = 'owner' | 'admin' | 'member';

export interface RoleChange {
  /** The caller's role; members are refused before this. */
  by: 'owner' | 'admin';
  target: { role: Role; kind: 'human' | 'agent' };
  role: Role;
}

/** `pass-on` makes the target owner and the caller admin. All but `set`, `pass-on` and `nothing` are refusals. */
export type RoleVerdict = 'set' | 'pass-on' | 'nothing' | 'forbidden' | 'not-for-agents' | 'pass-on-first';

/** Judges a change of role: a group has exactly one owner at any time, a human (GROUP-4 … GROUP-6). */
export function judgeRoleChange({ by, target, role }: RoleChange): RoleVerdict {
  if (by === 'admin' && (target.role === 'owner' || role === 'owner')) return 'forbidden';
  if (target.kind === 'agent' && role !== 'member') return 'not-for-agents';
  if (target.role === role) return 'nothing';
  // A group has one owner, so here owners change their own role.
  if (target.role === 'owner') return 'pass-on-first';
  return role === 'owner' ? 'pass-on' : 'set';
}
