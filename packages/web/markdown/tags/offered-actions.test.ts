import { actionIn, nodesIn, parseMarkdown } from '@parley/markdown';
import { expect, test } from 'vitest';
import { offeredActions } from '../../../server/rules/component-actions.ts';

/** The actions that a message offers, as sent to the service. */
const actionsIn = (text: string): string[] =>
  [...nodesIn(parseMarkdown(text))].flatMap((node) => {
    if (node.kind !== 'tag') return [];
    const { name, attributes } = node;
    const action = actionIn(attributes, name === 'form' ? 'id' : 'action');
    if (action === '' || (name !== 'button' && name !== 'form')) return [];
    return [name === 'form' ? `form_submit:${action}` : action];
  });

test.each([
  ['{% form id="f"\n\n%}\nx\n{% /form %}', 'form_submit:f'],
  ['text\n{% form id="f"\n\n%}{% /form %}', 'form_submit:f'],
  ['- item\n{% card %}{% form\n\nid="f" %}{% /form %}{% /card %}', 'form_submit:f'],
  ['{% card body="a\n\nb" /%}\n{% button action="a" label="A" /%}', 'a'],
  ['{% card body="a\n\nb" /%}{% button\naction="a" label="A" /%}', 'a'],
  ['100% {%{% button action="a" %}A{% /button %}', 'a'],
  ['{% button action=1.0 label="A" /%}', '1'],
  ['{% button action=-0.50 label="A" /%}', '-0.5'],
  ['{% button action=12345678901234567890123 label="A" /%}', '1.2345678901234568e+22'],
  ['{% form id=007 %}{% /form %}', 'form_submit:7'],
  ['{% button null action="a" /%}', 'a'],
  ['{% button true action="a" /%}', 'a'],
  ['{% button 1.5 action="a" /%}', 'a'],
  ['{% button ["x", {y: "%}"}] action="a" /%}', 'a'],
  ['{% button {x: 1} action="a" /%}', 'a'],
  ['> {% button\n> action="a" label="A" /%}', 'a'],
  ['> > {% button\n> > action="a\n> > b" label="A" /%}', 'a\nb'],
])('ACTION-10: the service finds the action that the app shows in %j', (text, action) => {
  expect(actionsIn(text)).toEqual([action]);
  expect([...offeredActions(text)].includes(action)).toBe(true);
});

test.each([
  '{% button action=true label="A" /%}',
  '{% button action=null label="A" /%}',
  '{% button action=["a", "b"] label="A" /%}',
  '{% button action="a" action=true label="A" /%}',
  '{% form id={a: "f"} %}{% /form %}',
])('ACTION-10: neither the app nor the service finds an action in %j', (text) => {
  expect(actionsIn(text)).toEqual([]);
  expect([...offeredActions(text)]).toEqual([]);
});
