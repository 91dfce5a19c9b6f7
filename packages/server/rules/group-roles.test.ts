import { describe, expect, test } from 'vitest';
import { judgeRoleChange, type RoleChange, type RoleVerdict } from './group-roles.ts';

type Role = RoleChange['role'];

describe('a change of role', () => {
  const humans: [title: string, by: RoleChange['by'], from: Role, to: Role, verdict: RoleVerdict][] = [
    ['GROUP-4: the owner makes an admin', 'owner', 'member', 'admin', 'set'],
    ['GROUP-4: the owner makes an admin a member', 'owner', 'admin', 'member', 'set'],
    ['GROUP-4: an admin makes an admin', 'admin', 'member', 'admin', 'set'],
    ['GROUP-4: an admin makes an admin a member', 'admin', 'admin', 'member', 'set'],
    ['GROUP-4: an admin changes the owner', 'admin', 'owner', 'admin', 'forbidden'],
    ['GROUP-4: an admin makes the owner a member', 'admin', 'owner', 'member', 'forbidden'],
    ['GROUP-4: an admin makes an owner', 'admin', 'member', 'owner', 'forbidden'],
    ['GROUP-5: the owner passes ownership to a member', 'owner', 'member', 'owner', 'pass-on'],
    ['GROUP-5: the owner passes ownership to an admin', 'owner', 'admin', 'owner', 'pass-on'],
    ['GROUP-5: the owner becomes admin without passing it on', 'owner', 'owner', 'admin', 'pass-on-first'],
    ['GROUP-5: the owner becomes a member without passing it on', 'owner', 'owner', 'member', 'pass-on-first'],
    ['GROUP-5: the owner stays owner', 'owner', 'owner', 'owner', 'nothing'],
    ['GROUP-4: a member stays a member', 'admin', 'member', 'member', 'nothing'],
  ];
  test.each(humans)('%s', (_title, by, from, role, verdict) => {
    expect(judgeRoleChange({ by, target: { role: from, kind: 'human' }, role })).toBe(verdict);
  });

  const agents: [title: string, by: RoleChange['by'], to: Role, verdict: RoleVerdict][] = [
    ['GROUP-6: an agent stays a member', 'owner', 'member', 'nothing'],
    ['GROUP-6: no agent is an admin', 'owner', 'admin', 'not-for-agents'],
    ['GROUP-6: no agent is an owner', 'owner', 'owner', 'not-for-agents'],
    ['GROUP-6: no admin makes an agent one', 'admin', 'admin', 'not-for-agents'],
  ];
  test.each(agents)('%s', (_title, by, role, verdict) => {
    expect(judgeRoleChange({ by, target: { role: 'member', kind: 'agent' }, role })).toBe(verdict);
  });
});
