import { describe, expect, it } from 'vitest';
import { countsText } from './member-counts.ts';

describe('the members of a group', () => {
  it('are counted separately as people and agents', () => {
    expect(countsText({ people: 4, agents: 2 })).toBe('4 people, 2 agents');
    expect(countsText({ people: 1, agents: 1 })).toBe('1 person, 1 agent');
    expect(countsText({ people: 2, agents: 1 })).toBe('2 people, 1 agent');
  });

  it('leave out a kind with no members', () => {
    expect(countsText({ people: 1, agents: 0 })).toBe('1 person');
    expect(countsText({ people: 0, agents: 3 })).toBe('3 agents');
  });
});
