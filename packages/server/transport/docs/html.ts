// What /docs and / show: pages made on the server from the declarations and the recorded samples, without a script.

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : escapeHtml(String(part));
};

/** Every part that is not HTML by its type is escaped. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, at) => text + textOf(parts[at] ?? '')).join(''));

/** A sentence of the declarations: `code` between backticks. */
export const prose = (text: string): Html =>
  new Html(escapeHtml(text).replace(/`([^`]+)`/g, (_whole, code: string) => `<code>${code}</code>`));

/** JSON, with its names and strings told apart. */
export function jsonView(value: unknown): Html {
  const text = escapeHtml(JSON.stringify(value, null, 2));
  const coloured = text.replace(/(&quot;(?:\\.|(?!&quot;).)*&quot;)(:)?/g, (_whole, string: string, colon?: string) =>
    colon === undefined ? `<i>${string}</i>` : `<b>${string}</b>:`,
  );
  return html`<pre tabindex="0"><code>${new Html(coloured)}</code></pre>`;
}
