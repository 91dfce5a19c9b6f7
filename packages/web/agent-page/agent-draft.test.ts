import type { Agent } from '@parley/protocol';
import { describe, expect, test } from 'vitest';
import { type AgentDraft, changesOf, copyOf, emptyDraft, newAgentOf, slugOf } from './agent-draft.ts';
import { numberIn } from '../settings/agents/agent-fields.ts';
import { readyMade, startedFrom, startFrom } from './ready-made.ts';
import { problemOf, slugProblem } from './steps.ts';

describe('the handle of a new agent', () => {
  test.each([
    ['Tutor', 'tutor'],
    ['Café guide!', 'cafe_guide'],
    ['  __ ', 'agent'],
    ['導師', 'agent'],
    ['', ''],
    ['Writer', 'writer_2'],
    ['x'.repeat(40), 'x'.repeat(32)],
  ])('of %j is %j', (name, slug) => {
    expect(slugOf(name, ['writer'])).toBe(slug);
  });

  test('is never longer than a handle may be', () => {
    expect(slugOf('x'.repeat(40), ['x'.repeat(32)])).toBe(`${'x'.repeat(30)}_2`);
  });

  test('is checked while it is typed', () => {
    expect(slugProblem('', ['writer'])).toBeNull();
    expect(slugProblem('my_agent2', ['writer'])).toBeNull();
    expect(slugProblem('my-agent', ['writer'])).toBe('Use only the letters a to z, digits and _.');
    expect(slugProblem('writer', ['writer'])).toBe('You have an agent with this handle. Choose another.');
  });
});

const [writer, reviewer] = readyMade;

describe('a ready-made agent', () => {
  test('fills in what is empty or of another one, and keeps what the user typed', () => {
    const first = startFrom({ ...emptyDraft, description: 'Mine' }, writer ?? null);
    expect(first).toMatchObject({ display_name: 'Writer', description: 'Mine', system_prompt: writer?.system_prompt });
    const second = startFrom({ ...first, display_name: 'Wilma' }, reviewer ?? null);
    expect(second).toMatchObject({
      display_name: 'Wilma',
      description: 'Mine',
      system_prompt: reviewer?.system_prompt,
    });
    expect(startedFrom(second)).toBe(reviewer);
    expect(startFrom(second, null)).toMatchObject({ display_name: 'Wilma', description: 'Mine', system_prompt: '' });
  });

  test('is one that the service accepts', () => {
    for (const one of readyMade)
      expect(problemOf({ ...startFrom(emptyDraft, one), slug: slugOf(one.display_name, []) }, 2, [])).toBeNull();
  });
});

describe('the form for an agent', () => {
  const draft = { ...emptyDraft, display_name: ' Tutor ', slug: 'tutor' };

  test('sends no value for a field that is empty, and no key', () => {
    expect(newAgentOf({ ...draft, api_key: 'secret' })).toEqual({
      slug: 'tutor',
      provider: 'provider_a',
      display_name: 'Tutor',
      description: '',
      model: null,
      system_prompt: null,
      temperature: null,
      max_output_tokens: null,
      thinking: null,
      web_search: null,
      built_in_tools: [],
      context: null,
      visibility: 'private',
      pays_for: 'nobody',
      asker_daily_tokens: null,
      group_monthly_tokens: null,
      allowed_models: [],
    });
  });

  test('sends an address only for a server of the agent’s own', () => {
    const typed = { ...draft, base_url: 'https://models.example.com/v1' };
    expect(newAgentOf(typed)).not.toHaveProperty('base_url');
    expect(newAgentOf({ ...typed, place: 'own' })).toMatchObject({ base_url: 'https://models.example.com/v1' });
  });

  test('sends only the changes of an agent', () => {
    const changed = { ...draft, temperature: '0,5', visibility: 'public' } as const;
    expect(changesOf(changed, draft, 'ann:tutor')).toEqual({
      username: 'ann:tutor',
      temperature: 0.5,
      visibility: 'public',
    });
    expect(changesOf({ ...draft, temperature: '' }, changed, 'ann:tutor')).toMatchObject({ temperature: null });
  });

  test('a copy of an agent gives chats titles only if the agent does', () => {
    const agent = { username: 'ann:tutor', display_name: 'Tutor', visibility: 'public' } as Agent; // what is read
    expect(newAgentOf(copyOf({ ...agent, titles: false }, []))).toMatchObject({ visibility: 'private', titles: false });
    expect(newAgentOf(copyOf({ ...agent, titles: true }, []))).not.toHaveProperty('titles');
  });

  test('sends what the agent reads as a whole, and nothing if it is the most', () => {
    const context = (part: Partial<AgentDraft>) => changesOf({ ...draft, ...part }, draft, 'ann:tutor')['context'];
    expect(context({ context_messages: '10' })).toEqual({ messages: 10 });
    expect(context({ context_messages: '10', context_characters: '2,000', context_files: false })).toEqual({
      messages: 10,
      characters: 2_000,
      files: false,
    });
    const before = { ...draft, context_files: false };
    expect(changesOf(draft, before, 'ann:tutor')).toEqual({ username: 'ann:tutor', context: null });
  });

  test('sends a picture only if one was chosen or removed', () => {
    expect(changesOf({ ...draft, avatar_file_id: null }, draft, 'ann:tutor')).toEqual({
      username: 'ann:tutor',
      avatar_file_id: null,
    });
    expect(newAgentOf({ ...draft, avatar_file_id: 'id', avatar_url: '/files/id' })).toMatchObject({
      avatar_file_id: 'id',
    });
  });

  test.each([
    ['display_name', { display_name: ' ' }],
    ['slug', { slug: '' }],
    ['base_url', { place: 'own', base_url: 'localhost:11434', model: 'llama' }],
    ['model', { place: 'own', base_url: 'http://localhost:11434/v1' }],
    ['temperature', { temperature: '2.1' }],
    ['temperature', { temperature: 'warm' }],
    ['max_output_tokens', { max_output_tokens: '0' }],
    ['context.messages', { context_messages: '41' }],
    ['context.messages', { context_messages: '0' }],
    ['context.characters', { context_characters: '499' }],
    ['asker_daily_tokens', { asker_daily_tokens: 'many' }],
    ['group_monthly_tokens', { group_monthly_tokens: '1.5 k' }],
  ] as const)('names %s as the field of the first problem with %j', (field, part) => {
    expect(problemOf({ ...draft, ...part }, 2, [])?.field).toBe(field);
  });

  test('looks for problems only in the steps up to the open one', () => {
    expect(problemOf({ ...draft, temperature: 'warm' }, 0, [])).toBeNull();
  });
});

test('numbers may have a comma or a point', () => {
  expect(['0.5', '0,5', ' 1 ', '', 'x', '-1'].map(numberIn)).toEqual([0.5, 0.5, 1, null, undefined, undefined]);
});
