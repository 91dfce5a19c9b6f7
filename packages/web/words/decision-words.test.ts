import type { Account, Decision } from '@parley/protocol';
import { questionIn } from '@parley/protocol/decision-text';
import { expect, test } from 'vitest';
import { decisionText as textOfService, optionsOf, outcomeText } from '../../server/rules/decisions.ts';
import { callOptions } from '../../server/rules/asking-calls.ts';
import { chosenLabel, decisionText, optionLabel } from './decision-words.ts';
import { whereFindingsGo } from './where-findings-go.ts';

const sender = { kind: 'agent', username: 'ann:helper', display_name: 'Helper' } as Account;
const form = [{ key: 'seats', label: 'Seats', type: 'number' }] as unknown as Decision['form'];

test.each([
  [
    'a question with options',
    {
      options: [
        { id: 'a', label: 'Yes' },
        { id: 'b', label: 'No' },
      ],
    },
  ],
  ['a form', { options: optionsOf(undefined), form }],
])('WEB-478: of %s the app shows the question alone, before and after it is decided', (_, fields) => {
  const decision = { ...fields, state: 'open', kind: 'question' } as Decision;
  const question = 'Ready?\n\n- Yes\n- No\n\nTo fill in: nothing';
  const content = textOfService(question, decision);
  expect(content).not.toBe(question);
  expect(questionIn(content, decision)).toBe(question);
  const outcome = outcomeText({ ...decision, state: 'decided', option: decision.options[0]?.id, decided_by: 'ann' });
  expect(questionIn(`${content}\n\n${outcome}`, decision)).toBe(question);
  expect(questionIn('Other words', decision)).toBe('Other words');
});

test('WEB-430: what the service asks for an agent is in the words of the app, and names are no markup', () => {
  const decision = {
    kind: 'call',
    options: [...callOptions],
    call: { server: 'bank', host: 'bank.example', tool: 'pay', title: 'Pay `now` **@ann**', as: 'asker', writes: true },
  } as unknown as Decision;
  expect(decisionText({ content: 'in English', sender, decision })).toBe(
    'May `Helper · ann` use `Pay now **@ann**` on `bank.example`?',
  );
  expect(callOptions.map((option) => optionLabel(decision, option))).toEqual([
    'Don’t allow',
    'Allow once',
    'Always allow in this conversation',
    'Always allow',
  ]);
});

test.each([
  [{}, 'Agents have written 9 replies to one message. May they go on?'],
  [
    { usage: { input_tokens: 11_000, output_tokens: 1_345 } },
    'Agents have written 9 replies to one message, with 12,345 tokens. May they go on?',
  ],
])('WEB-430, DISPATCH-22: of a chain of agents the app says how far it has gone, %j', (used, text) => {
  const chain = { replies: 9, message_ids: [], agents: ['bob:poet'], ...used };
  const decision = { kind: 'budget', options: [{ id: 'go_on', label: 'Go on' }], budget: { chain } };
  expect(decisionText({ content: 'in English', sender, decision: decision as unknown as Decision })).toBe(text);
});

test('WEB-484, OWN-12: a search of all conversations says that what it finds goes where the agent’s owner has chosen', () => {
  const call = { server: 'Parley', tool: 'search_my_conversations' };
  const agent = { parent_username: 'ann' };
  expect(whereFindingsGo(call, agent, 'bob')).toBe(
    'What it finds in your conversations goes to the model and the tools that @ann has chosen for this agent.',
  );
  expect(whereFindingsGo(call, agent, 'ann')).toBeUndefined();
  expect(whereFindingsGo({ ...call, tool: 'search_messages' }, agent, 'bob')).toBeUndefined();
  expect(whereFindingsGo({ ...call, server: 'bank' }, agent, 'bob')).toBeUndefined();
});

test('the labels of people and bots stay as they are', () => {
  const decision = { kind: 'question', options: [{ id: 'decline', label: 'No thanks' }], option: 'decline' };
  expect(chosenLabel(decision as Decision)).toBe('No thanks');
});
