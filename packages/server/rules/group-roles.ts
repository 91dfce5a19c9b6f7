type Role = 'owner' | 'admin' | 'member';

export interface RoleChange {
  /** The role of who changes it; members do not come so far. */
  by: 'owner' | 'admin';
  target: { role: Role; kind: 'human' | 'agent' };
  role: Role;
}

/** `pass-on` makes the target owner and the caller admin. All but `set`, `pass-on` and `nothing` are refusals. */
export type RoleVerdict = 'set' | 'pass-on' | 'nothing' | 'forbidden' | 'not-for-agents' | 'pass-on-first';

/** What a change of role means: a group has one owner at any time, and it is a human (GROUP-4 … GROUP-6). */
export function judgeRoleChange({ by, target, role }: RoleChange): RoleVerdict {
  if (by === 'admin' && (target.role === 'owner' || role === 'owner')) return 'forbidden';
  if (target.kind === 'agent' && role !== 'member') return 'not-for-agents';
  if (target.role === role) return 'nothing';
  // The only owner there is: whoever gives it up for themselves.
  if (target.role === 'owner') return 'pass-on-first';
  return role === 'owner' ? 'pass-on' : 'set';
}
