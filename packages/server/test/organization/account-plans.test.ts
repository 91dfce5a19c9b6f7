// Lists of accounts are read without the people whom their filter leaves out, however many there are.
import { createWorld } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';
import { countOwners, peopleStatements } from '../../store/account-roles.ts';
import { countDisabled, countPending, countPeople } from '../../store/service-overview.ts';

embeddedTest('its plans')(
  'ROLE-9, ADMIN-24, ERR-12: plans of statements that find and count people by role and state',
  async () => {
    await using world = await createWorld();
    const planOf = async ({ sql }: { sql: string }) => {
      const plan = await world.service.read.all<{ detail: string }, []>({ sql: `EXPLAIN QUERY PLAN ${sql}` });
      return plan.map(({ detail }) => detail).join('\n');
    };
    for (const [states, { ofAnyRole, ofRole }] of peopleStatements) {
      const plans = [await planOf(ofAnyRole), await planOf(ofRole)];
      for (const plan of plans) expect(plan, states).not.toMatch(/SCAN|TEMP B-TREE/);
      if (/disabled|pending/.test(states)) expect(plans[0], states).toMatch(/accounts_(disabled|pending) /);
      expect(plans[1], states).toMatch(/accounts_(role \(role=\? AND username>\?\)|disabled|pending)/);
    }
    expect(await planOf(countOwners)).toContain('accounts_role (role=?)');
    expect(await planOf(countPeople)).toMatch(/^SCAN accounts USING COVERING INDEX accounts_role$/);
    expect(await planOf(countDisabled)).toContain('INDEX accounts_disabled');
    expect(await planOf(countPending)).toContain('INDEX accounts_pending');
  },
);
