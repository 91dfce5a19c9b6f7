import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { createElement, useSyncExternalStore } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ValueCell } from './value-cell.ts';

const page = readFileSync(new URL('../../docs/SDK.md', import.meta.url), 'utf8');

test('SDK-32: a component that reads a cell as shown in docs/SDK.md renders on a server', () => {
  const code = /useSyncExternalStore\([^)]*\)/.exec(page)?.[0];
  const cell = new ValueCell('what it holds');
  // Runs the snippet from the page.
  const Shown = () => createElement('p', null, String(runInNewContext(code ?? '', { useSyncExternalStore, cell })));
  expect(renderToString(createElement(Shown))).toBe('<p>what it holds</p>');
});
