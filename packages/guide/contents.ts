// The guide: the documents of this repository as a site. `npm run build` writes it to dist/, from which the service serves
// it at /docs/guide; `npm run guide -- FOLDER` writes a copy for any web server. The documents stay where they are.

export interface Entry {
  /** A file of the repository. If it does not exist, the entry is left out. */
  readonly file: string;
  /** By default that of the document. */
  readonly title?: string;
}

export interface Section {
  readonly title: string;
  /** In the order in which they are read. */
  readonly entries: readonly Entry[];
}

/** What the navigation shows. Every other document has a page too, but is found by links and the search alone. */
export const contents: readonly Section[] = [
  {
    title: 'Quick starts',
    entries: [
      { file: 'docs/guide/index.md', title: 'Overview' },
      { file: 'docs/guide/first-bot.md' },
      { file: 'docs/guide/first-app.md' },
      { file: 'docs/WIDGET.md' },
      { file: 'docs/MCP.md' },
      { file: 'docs/guide/first-server.md' },
    ],
  },
  { title: 'Concepts', entries: [{ file: 'docs/guide/vocabulary.md' }, { file: 'docs/guide/recovery.md' }] },
  {
    title: 'Guides',
    entries: [
      { file: 'docs/BOTS.md' },
      { file: 'docs/guide/bot-without-sdk.md' },
      { file: 'docs/SDK.md' },
      { file: 'docs/packages/react.md', title: 'React hooks and components' },
      { file: 'docs/guide/embedding.md' },
      { file: 'docs/WEBHOOKS.md' },
      { file: 'docs/RUNNING.md' },
      { file: 'docs/guide/recipes.md' },
    ],
  },
  {
    title: 'Reference',
    entries: [
      { file: 'docs/SPEC.md', title: 'Specification' },
      { file: 'docs/ARCHITECTURE.md' },
      { file: 'docs/SDK-COMPARISON.md', title: 'Beside other kits' },
      { file: 'CHANGELOG.md' },
    ],
  },
];
