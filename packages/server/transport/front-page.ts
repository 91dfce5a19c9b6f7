import { html } from './docs/html.ts';
import { layout } from './docs/layout.ts';

/** A page to which another service leads a browser: a title, some words, and a link that goes on. */
export const frontPage = (title: string, words: string, link?: { href: string; label: string }): string =>
  layout({
    title,
    className: 'front',
    body: html`<main>
      <h1>${title}</h1>
      <p>${words}</p>
      ${link ? html`<p><a href="${link.href}">${link.label}</a></p>` : ''}
    </main>`,
  });
