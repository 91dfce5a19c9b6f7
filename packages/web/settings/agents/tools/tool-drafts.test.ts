import type { ToolServer } from '@parley/protocol';
import { expect, test } from 'vitest';
import { chosenOf, inputOf, listedOf, nameFrom } from './tool-drafts.ts';

const server: ToolServer = {
  name: 'bank',
  host: 'bank.example',
  url: 'https://bank.example/mcp',
  identity: 'none',
  auth: 'none',
  approval: 'writes',
  has_credential: false,
  state: 'changed',
  tools: [
    { name: 'peek', writes: false },
    { name: 'pay', writes: true },
    { name: 'gone', writes: true },
  ],
  offered: [
    { name: 'peek', writes: false, confirmed: true },
    { name: 'pay', writes: true, confirmed: false },
    { name: 'new', writes: true, confirmed: false },
  ],
};

test('WEB-490: saving confirms no tool that has changed unless its owner chooses it again', () => {
  const chosen = chosenOf(server);
  expect(inputOf(server, undefined).tools).toEqual([
    { name: 'peek', writes: false },
    { name: 'gone', writes: true },
  ]);
  const { tools: _none, ...open } = server;
  expect(inputOf(open, undefined)).not.toHaveProperty('tools');
  expect(listedOf({ ...chosen, pay: { isOn: true, writes: false } })).toContainEqual({ name: 'pay', writes: false });
});

test.each([
  ['https://mcp.linear.app/sse', 'linear'],
  ['https://www.bank.example', 'bank-2'],
  ['http://127.0.0.1:80', '127'],
  ['nothing', ''],
])('a short name for %s is %j', (url, name) => {
  expect(nameFrom(url, ['bank'])).toBe(name);
});
