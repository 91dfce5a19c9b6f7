import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { needs } from '../programs/needs.ts';
import { use } from '../programs/programs.ts';
import { blocksIn, type CodeBlock, documentFiles, root, SYNTAX } from './code-blocks.ts';

const blocks = documentFiles().flatMap(blocksIn);

/** The blocks that tests ask for, as `file name`. */
function askedFor(): Set<string> {
  const files = globSync('packages/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] });
  const sources = files.map((file) => readFileSync(join(root, file), 'utf8'));
  return new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/\bdocumented\(\s*'([^']+)',\s*'([^']+)',?\s*\)/g)].map(
        ([, file, name]) => `${file} ${name}`,
      ),
    ),
  );
}

test('DOCS-5: every block of code in docs/ has a name, and a test asks for it', () => {
  const asked = askedFor();
  const named = blocks.filter(({ name }) => name !== SYNTAX).map(({ file, name }) => `${file} ${name}`);
  expect(named.filter((block) => !asked.has(block))).toEqual([]);
  expect(named.filter((block, at) => named.indexOf(block) !== at)).toEqual([]);
  expect([...asked].filter((block) => !named.includes(block))).toEqual([]);
});

test('DOCS-5: a block that cannot run says why, and no other block says more than its name', () => {
  const wrong = blocks.filter(({ name, reason }) => (name === SYNTAX) !== reason.split(' ').length > 1);
  expect(wrong.map(({ file, code }) => `${file}\n${code}`)).toEqual([]);
});

/** Throws if a block is not valid in its language. */
async function checkSyntax({ language, code }: CodeBlock): Promise<void> {
  if (language === 'ts') return void stripTypeScriptTypes(code);
  if (language === 'sh') {
    await promisify(execFile)(use('bash'), ['-n', '-c', code]);
    return undefined;
  }
  throw new Error(`no way to check ${language}: run the block in a test instead`);
}

test(
  'DOCS-5: blocks that cannot run in a test have a valid syntax',
  { ...needs('bash'), tags: ['program', 'long'] },
  async () => {
    const unchecked = blocks.filter(({ name }) => name === SYNTAX);
    expect(unchecked.length).toBeGreaterThan(0);
    for (const block of unchecked)
      await expect(checkSyntax(block), `${block.file}\n${block.code}`).resolves.toBeUndefined();
  },
);
