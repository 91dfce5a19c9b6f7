import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../core/settings.ts';
import {
  agentsDue,
  type DispatchInput,
  type DueReason,
  firingHop,
  isLastHop,
  keepsFollowing,
  withinWidth,
} from './agent-replies.ts';

const { maxHops, firingsPerMessage: perMessage } = defaultSettings;

const helper = 'ann:helper';
const human = { kind: 'human', username: 'ann' } as const;
const agent = { kind: 'agent', username: 'ann:other' } as const;

const due = (change: Partial<DispatchInput>) =>
  agentsDue({
    sender: human,
    isService: false,
    mentioned: [],
    repliesTo: null,
    agents: having(false),
    ...change,
  });
const fired = (change: Partial<DispatchInput>): string[] => names(due(change));

const having = (alwaysOn: boolean | null, isFollowing = false) => [{ username: helper, alwaysOn, isFollowing }];
const many = (count: number, alwaysOn: boolean | null = true) =>
  Array.from({ length: count }, (_, n) => ({ username: `ann:agent${n}`, alwaysOn, isFollowing: false }));
const names = (agents: readonly { username: string }[]) => agents.map(({ username }) => username);

describe("the interface's table", () => {
  const table: [title: string, message: Partial<DispatchInput>, fires: boolean][] = [
    ['DISPATCH-1: human, agent explicitly @mentioned: yes', { mentioned: [helper] }, true],
    ["DISPATCH-2: human, message quote-replies one of the agent's messages: yes", { repliesTo: helper }, true],
    ['DISPATCH-3: human, agent has always_on set in this room: yes', { agents: having(true) }, true],
    ['DISPATCH-4: human, agent has no setting (legacy or DM): yes', { agents: having(null) }, true],
    ['DISPATCH-5: human, agent is mention-only and not mentioned: no', { agents: having(false) }, false],
    ['DISPATCH-6: agent, agent explicitly @mentioned: yes', { sender: agent, mentioned: [helper] }, true],
    ['DISPATCH-7: agent, agent not mentioned: no', { sender: agent }, false],
    ['DISPATCH-7: agent, bare quote-reply: no', { sender: agent, repliesTo: helper }, false],
    ['DISPATCH-7: agent, not mentioned, always_on: no', { sender: agent, agents: having(true) }, false],
    ['DISPATCH-7: agent, not mentioned, no setting: no', { sender: agent, agents: having(null) }, false],
  ];
  test.each(table)('%s', (_title, message, fires) => {
    expect(fired(message)).toEqual(fires ? [helper] : []);
  });
});

test('DISPATCH-2: a quote of another sender does not fire an agent', () => {
  expect(fired({ repliesTo: 'bob' })).toEqual([]);
  expect(fired({ repliesTo: 'ann:other' })).toEqual([]);
});

test('DISPATCH-8: a service notice fires no agent', () => {
  expect(fired({ isService: true, mentioned: [helper], repliesTo: helper, agents: having(true) })).toEqual([]);
  expect(fired({ isService: true, sender: agent, mentioned: [helper] })).toEqual([]);
});

test('DISPATCH-9: an agent does not fire itself, and may fire others in the same message', () => {
  const agents = [{ username: agent.username, alwaysOn: true, isFollowing: true }, ...having(false)];
  expect(fired({ sender: agent, agents, mentioned: [agent.username, helper] })).toEqual([helper]);
});

test('DISPATCH-10: agents fire each other for at most 8 hops; a human message starts again at 0', () => {
  expect([7, 8, 9].map((hop) => isLastHop({ sender: agent, hop, maxHops }))).toEqual([false, true, true]);
  expect(isLastHop({ sender: agent, hop: 0, maxHops: 0 })).toBe(true);
  expect(isLastHop({ sender: human, hop: 8, maxHops })).toBe(false);
});

test('DISPATCH-10: two agents that always mention each other cause 9 firings: hop 0, then 8 hops', () => {
  const hops = [firingHop({ sender: human, hop: 0 })];
  for (;;) {
    const hop = hops.at(-1) ?? 0;
    if (isLastHop({ sender: agent, hop, maxHops })) break;
    hops.push(firingHop({ sender: agent, hop }));
  }
  expect(hops).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('DISPATCH-11: a message fires at most 32 agents; the others are left out', () => {
  const all = names(many(35));
  const cut = { fire: all.slice(0, 32), leftOut: all.slice(32) };
  expect(withinWidth(all, { perMessage, left: 100 })).toEqual(cut);
});

test('DISPATCH-12: no more agents are fired than the budget has left', () => {
  const all = names(many(12));
  const leaving = (left: number) => withinWidth(all, { perMessage, left });
  expect(leaving(3)).toEqual({ fire: all.slice(0, 3), leftOut: all.slice(3) });
  expect(leaving(12)).toEqual({ fire: all, leftOut: [] });
  for (const none of [0, -1]) expect(leaving(none)).toEqual({ fire: [], leftOut: all });
});

test('DISPATCH-13: mentioned and quoted agents come before the others', () => {
  const agents = many(12);
  expect(fired({ agents, mentioned: ['ann:agent11', 'ann:agent7'], repliesTo: 'ann:agent9' })).toEqual(
    ['7', '9', '11', '0', '1', '2', '3', '4', '5', '6', '8', '10'].map((n) => `ann:agent${n}`),
  );
});

test('DISPATCH-1: a mention of an account that is not an agent of the conversation fires no agent', () => {
  expect(fired({ mentioned: ['bob', 'ann:elsewhere'] })).toEqual([]);
});

test('DISPATCH-18: an agent that follows the thread hears every human message there, and no message of an agent', () => {
  const agents = having(false, true);
  expect(fired({ agents })).toEqual([helper]);
  expect(fired({ agents, sender: agent })).toEqual([]);
  expect(fired({ agents, sender: agent, repliesTo: helper })).toEqual([]);
  expect(fired({ agents, isService: true })).toEqual([]);
});

const reasons: [DueReason, Partial<DispatchInput>][] = [
  ['mentioned', { mentioned: [helper], repliesTo: helper, agents: having(true, true) }],
  ['quoted', { repliesTo: helper, agents: having(true, true) }],
  ['follows', { agents: having(true, true) }],
  ['always_on', { agents: having(true) }],
  ['always_on', { agents: having(null) }],
];

test.each(reasons)('PREVIEW-4: %s is the first reason that holds', (reason, message) => {
  expect(due(message)).toEqual([{ username: helper, reason }]);
});

test('DISPATCH-18: only a human who asks the agent, or whom it hears because it follows, keeps it following', () => {
  for (const reason of ['mentioned', 'quoted', 'follows'] as const) {
    expect(keepsFollowing(human, reason)).toBe(true);
    expect(keepsFollowing(agent, reason)).toBe(false);
  }
  expect(keepsFollowing(human, 'always_on')).toBe(false);
});

describe('for any message', () => {
  const username = fc.integer({ min: 0, max: 40 }).map((n) => `ann:agent${n}`);
  const message: fc.Arbitrary<DispatchInput> = fc.record({
    sender: fc.record({ kind: fc.constantFrom('human' as const, 'agent' as const), username }),
    isService: fc.boolean(),
    mentioned: fc.array(username),
    repliesTo: fc.option(username),
    agents: fc.uniqueArray(fc.record({ username, alwaysOn: fc.option(fc.boolean()), isFollowing: fc.boolean() }), {
      selector: (entry) => entry.username,
      maxLength: 40,
    }),
  });
  const width = fc.record({ perMessage: fc.constant(perMessage), left: fc.integer({ min: -2, max: 40 }) });

  test('DISPATCH-9: fires only participants, never the sender, and no agent twice', () => {
    fc.assert(
      fc.property(message, (input) => {
        const result = names(agentsDue(input));
        expect(result).not.toContain(input.sender.username);
        expect(new Set(result).size).toBe(result.length);
        const present = new Set(names([...input.agents]));
        expect(result.every((name) => present.has(name))).toBe(true);
      }),
    );
  });

  test('DISPATCH-11, DISPATCH-12: every agent is either fired or left out, and no more fire than the width allows', () => {
    fc.assert(
      fc.property(message, width, (input, bounds) => {
        const all = agentsDue(input);
        const { fire, leftOut } = withinWidth(all, bounds);
        expect([...fire, ...leftOut]).toEqual(all);
        expect(fire.length).toBeLessThanOrEqual(Math.max(0, Math.min(32, bounds.left)));
      }),
    );
  });

  test('DISPATCH-1: one more mention never removes an agent from the list', () => {
    fc.assert(
      fc.property(message, username, (input, extra) => {
        const before = names(agentsDue(input));
        const after = names(agentsDue({ ...input, mentioned: [...input.mentioned, extra] }));
        expect(after).toEqual(expect.arrayContaining(before));
        expect(after.length - before.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
