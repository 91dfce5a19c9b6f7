// docs/: the pages / and /docs, rendered on the server from the declarations and the recorded samples, without scripts.

/** Text that is already HTML and is not escaped again. */
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

/** Escapes every part that is not an Html. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, at) => text + textOf(parts[at] ?? '')).join(''));

/** Text from the declarations, with backticks turned into `<code>` and double asterisks into bold words. */
export const prose = (text: string): Html =>
  new Html(
    escapeHtml(text)
      .replace(/`([^`]+)`/g, (_whole, code: string) => `<code>${code}</code>`)
      .replace(/\*\*([^*]+)\*\*/g, (_whole, words: string) => `<strong>${words}</strong>`),
  );

/** JSON with field names and string values in different colours. */
export function jsonView(value: unknown): Html {
  const text = escapeHtml(JSON.stringify(value, null, 2));
  // oxlint-disable-next-line parley/linear-expressions -- every string of JSON ends
  const coloured = text.replace(/(&quot;(?:\\.|(?!&quot;).)*&quot;)(:)?/g, (_whole, string: string, colon?: string) =>
    colon === undefined ? `<i>${string}</i>` : `<b>${string}</b>:`,
  );
  return html`<pre tabindex="0"><code>${new Html(coloured)}</code></pre>`;
}
