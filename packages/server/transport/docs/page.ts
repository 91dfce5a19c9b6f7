import {
  type AccountRole,
  capOf,
  caps,
  errorStatus,
  eventDeclarations,
  type EventName,
  eventNames,
  leastRole,
  type Operation,
  operationGroups,
  type OperationName,
  operations,
  socketMethods,
} from '@parley/protocol';
import { samples } from '@parley/protocol/samples';
import { type WireSchemas, wireSchemas } from '../wire-schemas.ts';
import { fieldsTable } from './fields.ts';
import { type Html, html, jsonView, prose } from './html.ts';
import { introduction } from './introduction.ts';
import { layout } from './layout.ts';
import { logo } from './logo.ts';

/**
 * The page at /docs: every operation, event and resource (API-6). `origin` is the service's address in samples; `hasGuide`
 * whether /docs/guide is there.
 */
export function docsPage(origin: string, hasGuide: boolean): string {
  const schemas = wireSchemas('draft-2020-12');
  const resourceNames = Object.keys(schemas.resources).toSorted();
  const body = html`<nav class="top" aria-label="Parley">
      <button type="button" popovertarget="contents">Contents</button>
      <a class="name" href="/">${logo} Parley</a>
      ${hasGuide ? html`<a href="/docs/guide/">Guide and search</a>` : ''}
      <a href="/help">Help</a>
    </nav>
    <nav id="contents" popover aria-label="Contents">
      ${links('Start here', [
        ['calls', 'Calls'],
        ['tokens', 'Tokens'],
        ['errors', 'Errors'],
        ['socket', 'The WebSocket'],
      ])}
      ${operationGroups.map(({ title, names }) =>
        links(
          title,
          names.map((name) => [name, name]),
        ),
      )}
      ${links(
        'Events',
        eventNames.map((name) => [`events.${name}`, name]),
      )}
      ${links(
        'Resources',
        resourceNames.map((name) => [name, name]),
      )}
    </nav>
    <main>
      ${introduction(origin)}
      ${operationGroups.map(
        ({ title, about, names }) =>
          html`<h2>${title}</h2>
            <p>${prose(about)}</p>
            ${names.map((name) => operationView(name, schemas))}`,
      )}
      <h2>Events</h2>
      <p>
        The frames that the WebSocket sends and <a href="#getUpdates"><code>getUpdates</code> returns</a>.
      </p>
      ${eventNames.map((name) => eventView(name, schemas))}
      <h2>Resources</h2>
      ${resourceNames.map((name) => html`<section id="${name}">${heading(name)}${fieldsTable(schemas.resources[name] ?? {}, 'received')}</section>`)}
    </main>`;
  return layout({ title: 'Parley: the API', body, className: 'docs' });
}

const links = (title: string, entries: readonly (readonly [id: string, text: string])[]): Html =>
  html`<h2>${title}</h2>
    <ul>
      ${entries.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)}
    </ul>`;

const heading = (id: string): Html => html`<h3><a href="#${id}">${id}</a></h3>`;

const callers: Readonly<Record<AccountRole, string>> = {
  guest: '',
  member: ' Not for guests.',
  moderator: ' Only for moderators, admins and owners of the service.',
  admin: ' Only for admins and owners of the service.',
  owner: ' Only for owners of the service.',
};

function operationView(name: OperationName, schemas: WireSchemas): Html {
  const { summary, policy }: Operation = operations[name];
  const result = schemas.result(name);
  const sample = samples.operations[name];
  return html`<section id="${name}">
    ${heading(name)}
    <p>${prose(summary)}${policy.open ? ' Without a token.' : callers[leastRole(policy)]}</p>
    <p class="route"><code>POST /api/${name}</code>${methodsOf(name)}</p>
    <h4>Request</h4>
    ${fieldsTable(schemas.input(name), 'sent')}
    <h4>Result</h4>
    ${resultView(result)} ${errorsView(name)}
    ${
      sample
        ? html`<div class="samples">
            <figure>
              <figcaption>Request</figcaption>
              ${jsonView(sample.request)}
            </figure>
            <figure>
              <figcaption>Reply</figcaption>
              ${jsonView(sample.reply)}
            </figure>
          </div>`
        : ''
    }
  </section>`;
}

function resultView(result: ReturnType<WireSchemas['result']>): Html {
  if (!result) return html`<p>None: <code>{ "ok": true }</code> alone.</p>`;
  return fieldsTable(result, 'received');
}

/** The dotted socket methods of an operation, with the fields they rename or fix. */
const methodsOf = (name: OperationName): Html[] =>
  [...socketMethods]
    .filter(([method, { operation }]) => operation === name && method !== name)
    .map(([method, { rename = {}, fixed }]) => {
      const { input } = operations[name];
      const renamed = Object.entries(rename).filter(([, own]) => own in input.shape);
      const as = renamed.map(([internal, own]) => html`, <code>${internal}</code> for <code>${own}</code>`);
      const set = Object.entries(fixed ?? {}).map(([field, value]) => html`, <code>${field}: ${String(value)}</code>`);
      return html`<span>socket: <code>${method}</code>${as}${set}</span>`;
    });

function errorsView(name: OperationName): Html {
  const { errors }: Operation = operations[name];
  if (errors.length === 0) return html``;
  const own = errors.map((code) => {
    const example = samples.operations[name]?.errors?.[code];
    const title = html`<code>${errorStatus[code]} ${code}</code>`;
    return example
      ? html`<details>
          <summary>${title}</summary>
          ${jsonView(example)}
        </details>`
      : html`<p>${title}</p>`;
  });
  return html`<h4>Errors</h4>
    <div class="errors">${own}</div>`;
}

function eventView(name: EventName, schemas: WireSchemas): Html {
  const { summary } = eventDeclarations[name];
  const cap = capOf(name);
  const sample = samples.events[name];
  return html`<section id="events.${name}">
    ${heading(`events.${name}`)}
    <p>${prose(summary)}</p>
    ${cap ? html`<p>With the cap <code>${cap}</code>: ${prose(caps[cap])}</p>` : ''}
    <h4>Params</h4>
    ${fieldsTable(schemas.event(name), 'received')} ${sample ? jsonView(sample) : ''}
  </section>`;
}
