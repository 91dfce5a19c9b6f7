import { type Language, languages } from '@parley/protocol/languages';
import { type HelpTopic, sections, topics } from '../../agents/guide/help/topics.ts';
import { helpTexts, helpTopics, worded } from '../../agents/guide/help-texts.ts';
import { type Html, html, prose } from './html.ts';
import { logo } from './logo.ts';

/** The help in a language: all topics on one page, so that the browser's own search finds everything. */
export function helpPage(language: Language, pictures: ReadonlySet<string>): string {
  const { name, open, sections: titles } = helpTexts[language];
  const { direction } = languages[language];
  const tags = Object.keys(languages) as Language[]; // the names of the languages
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${name} – Parley</title>
        <link rel="stylesheet" href="/help/style.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header>
          <a class="name" href="/">${logo} Parley</a>
          <nav class="languages" aria-label="Languages">
            ${tags.map(
              (tag) =>
                html`<a
                  href="/help/${tag}"
                  lang="${tag}"
                  hreflang="${tag}"
                  ${tag === language ? html`aria-current="page"` : ''}
                  >${languages[tag].name}</a
                >`,
            )}
          </nav>
        </header>
        <main>
          <h1>${name}</h1>
          <nav aria-label="${name}">
            <ul class="sections">
              ${sections.map((section) => html`<li><a href="#${section}-section">${titles[section]}</a></li>`)}
            </ul>
          </nav>
          ${sections.map(
            (section) =>
              html`<section aria-labelledby="${section}-section">
                <h2 id="${section}-section">${titles[section]}</h2>
                ${pictureOf(section, titles[section], pictures)}
                ${helpTopics
                  .filter((topic) => topics[topic].section === section)
                  .map((topic) => topicView(topic, language, open))}
              </section>`,
          )}
        </main>
      </body>
    </html>`.text;
}

function topicView(topic: HelpTopic, language: Language, open: string): Html {
  const text = helpTexts[language].topics[topic];
  const { page } = topics[topic];
  return html`<article id="${topic}">
    <h3>${text.title}</h3>
    <p>${prose(worded(text, language))}</p>
    ${page === null ? '' : html`<p><a class="open" href="${page}" aria-label="${open}: ${text.title}">${open}</a></p>`}
  </article>`;
}

/** A picture of the app for light and dark pages. Only sections that are best shown have one. */
const pictureOf = (section: string, title: string, pictures: ReadonlySet<string>): Html | string =>
  pictures.has(`${section}.jpg`)
    ? html`<picture>
        ${
          pictures.has(`${section}-dark.jpg`)
            ? html`<source srcset="/help/pictures/${section}-dark.jpg" media="(prefers-color-scheme: dark)" />`
            : ''
        }
        <img src="/help/pictures/${section}.jpg" alt="${title}" loading="lazy" width="780" />
      </picture>`
    : '';
