import { expect, test } from 'vitest';
import { hasValidHeaders } from './mirrored-headers.ts';

const text = { type: 'string', 'x-mcp-header': 'Region' };
const toolOf = (inputSchema: object) => ({ name: 'pay', inputSchema: { type: 'object', ...inputSchema } });
const withProperty = (schema: object) => toolOf({ properties: { region: schema } });

test.each([
  ['no header', toolOf({ properties: { region: { type: 'string' } } })],
  ['a text', withProperty(text)],
  ['a number without fractions', withProperty({ type: 'integer', 'x-mcp-header': 'Amount' })],
  ['a parameter of a parameter', withProperty({ type: 'object', properties: { name: text } })],
  ['a parameter with the name of the keyword', toolOf({ properties: { 'x-mcp-header': { type: 'string' } } })],
  ['a value with the name of the keyword', withProperty({ type: 'object', default: { 'x-mcp-header': 7 } })],
])('TOOL-20: a tool that asks for headers as it may is offered: %s', (_what, tool) => {
  expect(hasValidHeaders(tool)).toBe(true);
});

test.each([
  ['without a name', withProperty({ ...text, 'x-mcp-header': '' })],
  ['with a space in it', withProperty({ ...text, 'x-mcp-header': 'My Region' })],
  ['with another header behind it', withProperty({ ...text, 'x-mcp-header': 'Region\r\nCookie' })],
  ['for a list', withProperty({ type: 'array', 'x-mcp-header': 'Region' })],
  ['for a number with fractions', withProperty({ type: 'number', 'x-mcp-header': 'Region' })],
  ['twice, in other letters', toolOf({ properties: { a: text, b: { ...text, 'x-mcp-header': 'REGION' } } })],
  ['for all parameters', toolOf({ 'x-mcp-header': 'Region' })],
  ['for each of a list', withProperty({ type: 'array', items: { type: 'object', properties: { name: text } } })],
  ['for one of several', toolOf({ oneOf: [{ properties: { region: text } }] })],
])('TOOL-20: a tool that asks for a header %s is left out', (_what, tool) => {
  expect(hasValidHeaders(tool)).toBe(false);
});

test('TOOL-20: a schema that is nested deeply is read all the same', () => {
  let schema: object = text;
  for (let depth = 0; depth < 20_000; depth += 1) schema = { properties: { a: schema } };
  expect(hasValidHeaders(toolOf(schema))).toBe(true);
});
