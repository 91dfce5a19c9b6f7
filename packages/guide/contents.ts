// The guide: the documents of this repository as a site. `npm run build` writes it to dist/, from which the service serves
// it at /docs/guide; `npm run guide -- FOLDER` writes a copy for any web server. The documents stay where they are.

export interface Section {
  readonly title: string;
  /** Files of the repository, in the order in which they are read. One that does not exist is left out. */
  readonly files: readonly string[];
}

/** What the navigation shows. Every other document has a page too, but is found by links and the search alone. */
export const contents: readonly Section[] = [
  {
    title: 'Quick starts',
    files: [
      'docs/guide/index.md',
      'docs/guide/first-bot.md',
      'docs/guide/first-app.md',
      'docs/WIDGET.md',
      'docs/guide/first-server.md',
    ],
  },
  { title: 'Concepts', files: ['docs/guide/vocabulary.md', 'docs/guide/recovery.md'] },
  {
    title: 'Guides',
    files: [
      'docs/BOTS.md',
      'docs/guide/bot-without-sdk.md',
      'docs/SDK.md',
      'docs/packages/react.md',
      'docs/guide/embedding.md',
      'docs/WEBHOOKS.md',
      'docs/RUNNING.md',
    ],
  },
  { title: 'Recipes', files: ['docs/guide/recipes.md'] },
  { title: 'Reference', files: ['docs/SPEC.md', 'docs/ARCHITECTURE.md', 'CHANGELOG.md'] },
];

/** The page that the site opens with. */
export const firstFile = 'docs/guide/index.md';
