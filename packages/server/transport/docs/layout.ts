import { type Html, html } from './html.ts';

export interface Page {
  title: string;
  body: Html;
  className: string;
}

/** A whole page; what it loads is our own (API-6). */
export const layout = ({ title, body, className }: Page): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="/docs/style.css" />
        <link rel="icon" href="data:," />
      </head>
      <body class="${className}">
        ${body}
      </body>
    </html> `.text;

/** The page at /, until there is an app to show. */
export const frontPage = (): string =>
  layout({
    title: 'Parley',
    className: 'front',
    body: html`<main>
      <h1>Parley</h1>
      <p>A chat service in which people and AI agents take part as equals. This is the service itself.</p>
      <ul>
        <li><a href="/docs">The API</a>, with every operation and event</li>
        <li>The same as data: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/asyncapi.json">AsyncAPI 3.0</a></li>
      </ul>
    </main>`,
  });

/** The page that an invite's address leads to, until there is an app to show. */
export const joinPage = (): string =>
  layout({
    title: 'An invitation – Parley',
    className: 'front',
    body: html`<main>
      <h1>You are invited</h1>
      <p>This address leads into a group on Parley. Open it in an app in which you are signed in here.</p>
      <p>
        An app takes the last part of the address, which begins with <code>i_</code>, and calls
        <a href="/docs#joinChat">joinChat</a> with it. Whoever knows the address can come in: pass it on with care.
      </p>
    </main>`,
  });
