import { type Html, html } from '@parley/server/transport/docs/html.ts';
import { logo } from '@parley/server/transport/docs/logo.ts';
import type { GuideSection } from '@parley/server/transport/guide.ts';
import { relativeAddress } from './documents.ts';
import type { Heading } from './headings.ts';

interface GuidePage {
  readonly title: string;
  readonly address: string;
  readonly body: Html;
  readonly headings: readonly Heading[];
}

/** A complete page: it loads only files of the site, by relative addresses. `api` is where the pages of the API are. */
export function guidePage(page: GuidePage, navigation: readonly GuideSection[], api: string): string {
  const to = (address: string): string => relativeAddress(page.address, address);
  const all = navigation.flatMap(({ pages }) => pages);
  const at = all.findIndex(({ address }) => address === page.address);
  const isFirst = at === 0;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${isFirst ? page.title : `${page.title} – Parley`}</title>
        <link rel="stylesheet" href="${to('style.css')}" />
        <link rel="icon" href="data:," />
        <script type="module" src="${to('search.js')}"></script>
        <script type="module" src="${to('copy.js')}"></script>
      </head>
      <body class="guide">
        <a class="skip" href="#content">Skip to the text</a>
        <header>
          <button type="button" popovertarget="contents">Contents</button>
          <a class="name" href="${to('index.html')}">${logo} Parley guide</a>
          <form role="search" data-index="${to('search.json')}" hidden>
            <input type="search" placeholder="Search" aria-label="Search the guide" autocomplete="off" />
            <div class="results" hidden>
              <p role="status"></p>
              <ul></ul>
            </div>
          </form>
          <a href="${api}">API reference</a>
        </header>
        <nav id="contents" popover aria-label="Contents">
          ${navigation.map(
            ({ title, pages }) =>
              html`<h2>${title}</h2>
                <ul>
                  ${pages.map(
                    ({ title, address }) =>
                      html`<li><a href="${to(address)}" ${current(address === page.address)}>${title}</a></li>`,
                  )}
                </ul>`,
          )}
        </nav>
        <main id="content" tabindex="-1">
          ${page.body}
          <footer>
            ${neighbour(all[at - 1], 'Previous', to)}${neighbour(at < 0 ? undefined : all[at + 1], 'Next', to)}
          </footer>
        </main>
        ${onThisPage(page.headings)}
      </body>
    </html>`.text;
}

const current = (isCurrent: boolean): Html => (isCurrent ? html` aria-current="page"` : html``);

function neighbour(
  page: GuideSection['pages'][number] | undefined,
  side: 'Previous' | 'Next',
  to: (address: string) => string,
): Html {
  if (!page) return html``;
  return html`<a class="${side.toLowerCase()}" href="${to(page.address)}"><span>${side}</span> ${page.title}</a>`;
}

function onThisPage(headings: readonly Heading[]): Html {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return html``;
  return html`<aside>
    <nav aria-label="On this page">
      <h2>On this page</h2>
      <ul>
        ${shown.map(({ level, id, text }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`)}
      </ul>
    </nav>
  </aside>`;
}
