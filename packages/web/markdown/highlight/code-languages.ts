// Colours of code. A worker finds them, so that a slow grammar cannot stop the page; grammars load when first needed.
// May import: nothing else of the app.

/** Names that Markdown gives to the languages that have a grammar here. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  bash: ['sh', 'shell', 'zsh', 'console', 'shellscript', 'shellsession'],
  c: ['h'],
  cpp: ['c++', 'cc', 'hpp'],
  csharp: ['cs', 'c#'],
  css: [],
  diff: ['patch'],
  docker: ['dockerfile'],
  elixir: ['ex'],
  go: ['golang'],
  graphql: ['gql'],
  haskell: ['hs'],
  html: ['htm'],
  ini: ['conf', 'properties'],
  java: [],
  javascript: ['js', 'mjs', 'cjs', 'node'],
  json: ['json5', 'jsonc', 'jsonl'],
  jsx: [],
  kotlin: ['kt'],
  lua: [],
  make: ['makefile'],
  markdown: ['md'],
  nginx: [],
  perl: ['pl'],
  php: [],
  powershell: ['ps1', 'pwsh'],
  python: ['py', 'python3'],
  r: [],
  ruby: ['rb'],
  rust: ['rs'],
  scala: [],
  scss: [],
  sql: ['postgresql', 'sqlite', 'mysql'],
  swift: [],
  toml: [],
  tsx: [],
  typescript: ['ts', 'mts', 'cts'],
  xml: ['svg', 'xsl'],
  yaml: ['yml'],
};

const byName = new Map(
  Object.entries(aliases).flatMap(([language, names]) => [language, ...names].map((name) => [name, language] as const)),
);

/** The language of a code block by the text after its fence; undefined if there is no grammar for it. */
export const languageOf = (info: string): string | undefined =>
  byName.get(/^[^\s{,:]+/.exec(info)?.[0].toLowerCase() ?? '');
