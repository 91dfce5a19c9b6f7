// Turns are found without reading those that have nothing to do with the question, however many there are.
import { createWorld } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';
import { countQuote, openTurnOf, openTurnsBetween, openTurnsCausedBy, turnOf } from '../../store/turns.ts';
import { repliesOf } from '../../store/reply-versions.ts';

embeddedTest('its plans')('DISPATCH-16, BLOCK-10: plans of statements that find turns', async () => {
  await using world = await createWorld();
  const planOf = async ({ sql }: { sql: string }) => {
    const plan = await world.service.read.all<{ detail: string }, []>({ sql: `EXPLAIN QUERY PLAN ${sql}` });
    return plan.map(({ detail }) => detail).join('\n');
  };
  for (const statement of [turnOf, openTurnOf, countQuote, repliesOf]) {
    const plan = await planOf(statement);
    expect(plan).toMatch(/SEARCH turns USING INDEX turns_message \(message_key=\?\)/);
    expect(plan).not.toContain('turns_agent');
  }
  for (const statement of [openTurnsBetween, openTurnsCausedBy]) {
    const plan = await planOf(statement);
    expect(plan).not.toMatch(/SCAN turns\b/);
    expect(plan).not.toContain('turns_agent');
    expect(plan).toMatch(/turns_queued \(agent_key=\?\)/);
    expect(plan).toMatch(/turns_streaming \(agent_key=\?\)/);
  }
  expect(await planOf(openTurnsCausedBy)).toMatch(/turns_open_of_human \(human_key=\?\)/);
});
