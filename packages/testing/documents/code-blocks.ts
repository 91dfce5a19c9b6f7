// The blocks of code in docs/. Each has a name after its language (```js echo), by which a test asks for it with
// `documented('docs/BOTS.md', 'echo')`. A block that no test asks for fails code-blocks.test.ts (DOCS-5).
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface CodeBlock {
  readonly file: string;
  readonly language: string;
  /** Empty if it has none. */
  readonly name: string;
  /** Why a block named `SYNTAX` cannot run: what follows its name. */
  readonly reason: string;
  readonly code: string;
}

/**
 * The name of blocks that cannot run in a test, such as commands for containers, followed by the reason: only their
 * syntax is checked.
 */
export const SYNTAX = 'syntax';

/** Pages for contributors show parts of real files and of changes, and drawings. */
const isForContributors = (file: string): boolean =>
  /^docs\/(?:decisions\/|ADD-AN-OPERATION|ARCHITECTURE|COMPARISON|APP-COMPARISON)/.test(file);

export const documentFiles = (): string[] =>
  globSync('docs/**/*.md', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !isForContributors(file))
    .toSorted();

/** A block inside a list is indented; its code is returned without the indentation. */
export function blocksIn(file: string): CodeBlock[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^( *)```(\S*) *(\S*) *(.*)\n([^]*?)^\1```$/gm)].map(
    ([, indent = '', language = '', name = '', reason = '', code = '']) => ({
      file,
      language,
      name,
      reason,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** The code of a named block. */
export function documented(file: string, name: string): string {
  const [block, ...others] = blocksIn(file).filter((one) => one.name === name);
  if (!block || others.length > 0)
    throw new Error(`${file} has ${block ? 'several blocks' : 'no block'} named ${name}`);
  return block.code;
}
