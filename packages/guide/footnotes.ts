const NOTE = /^\[\^([\w-]+)\]: (.*)$/gm;
const MARK = /\[\^([\w-]+)\]/g;

/** Footnotes become a numbered list at the end, in the order in which the text names them. */
export function withFootnotes(source: string): string {
  const notes = new Map([...source.matchAll(NOTE)].map(([, name = '', text = '']) => [name, text]));
  if (notes.size === 0) return source;
  const order: string[] = [];
  const body = source.replaceAll(NOTE, '').replaceAll(MARK, (mark, name: string) => {
    if (!notes.has(name)) return mark;
    if (!order.includes(name)) order.push(name);
    return `<sup><a href="#note-${name}">${order.indexOf(name) + 1}</a></sup>`;
  });
  return `${body}\n\n${order.map((name, at) => `${at + 1}. <a id="note-${name}"></a>${notes.get(name)}`).join('\n')}\n`;
}
