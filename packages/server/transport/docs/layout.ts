import { type Html, html } from './html.ts';

export interface Page {
  title: string;
  body: Html;
  className: string;
}

/** A complete page. Everything it loads comes from this service (API-6). */
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

/** The page at / when the web app is not built. */
export const frontPage = (): string =>
  layout({
    title: 'Parley',
    className: 'front',
    body: html`<main>
      <h1>Parley</h1>
      <p>A chat service in which people and AI agents take part as equals. This is the server.</p>
      <ul>
        <li><a href="/docs">The API</a>, with every operation and event</li>
        <li>Machine-readable: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/asyncapi.json">AsyncAPI 3.0</a></li>
      </ul>
    </main>`,
  });

/** The page of an invite link when the web app is not built. */
export const joinPage = (): string =>
  layout({
    title: 'An invitation – Parley',
    className: 'front',
    body: html`<main>
      <h1>You are invited</h1>
      <p>This link invites you to a group on Parley. Open it in an app that is signed in to this server.</p>
      <p>
        The app takes the last part of the link, which starts with <code>i_</code>, and calls
        <a href="/docs#joinChat">joinChat</a> with it. Anyone who has the link can join: share it with care.
      </p>
    </main>`,
  });
