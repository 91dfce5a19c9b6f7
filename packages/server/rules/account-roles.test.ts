import { accountRoles } from '@parley/protocol';
import { expect, test } from 'vitest';
import { mayAdminister, mayGiveRole, mayInvite } from './account-roles.ts';

test('ROLE-6: owners administer everybody, admins those below them, and others nobody', () => {
  const administered = accountRoles.map((by) => accountRoles.filter((target) => mayAdminister(by, target)));
  expect(administered).toEqual([[], [], [], ['guest', 'member', 'moderator'], accountRoles]);
});

test('ROLE-5: owners give every role, admins move people below admin among moderator, member and guest', () => {
  const below = ['guest', 'member', 'moderator'];
  for (const by of accountRoles)
    for (const target of accountRoles)
      for (const to of accountRoles)
        expect([by, target, to, mayGiveRole(by, target, to)]).toEqual([
          by,
          target,
          to,
          by === 'owner' || (by === 'admin' && below.includes(target) && below.includes(to)),
        ]);
});

test('ENTER-3: guests never invite, and where only admins invite, members and moderators do not', () => {
  const who = (whoInvites: 'admins' | 'members') => accountRoles.filter((role) => mayInvite(role, whoInvites));
  expect([who('members'), who('admins')]).toEqual([
    ['member', 'moderator', 'admin', 'owner'],
    ['admin', 'owner'],
  ]);
});
