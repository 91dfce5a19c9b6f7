import { ElementType, parseDocument } from 'htmlparser2';

type Node = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<Node, { attribs: object }>;

const isElement = (node: Node): node is Element => 'attribs' in node;
const inside = (node: Element, ...names: string[]): Element[] =>
  node.children.filter(isElement).flatMap((child) => (names.includes(child.name) ? [child] : inside(child, ...names)));

/** A page of docs/ as Markdown, for readers that are programs (API-9). Links to paths get the service's address. */
export function markdownOf(page: string, origin: string): string {
  return `${new Writer(origin).blocks(parseDocument(page).children).join('\n\n')}\n`;
}

/** How the elements that docs/ uses are written in Markdown. */
class Writer {
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  blocks(nodes: readonly Node[]): string[] {
    return nodes.filter(isElement).flatMap((node) => this.#block(node));
  }

  #block(node: Element): string[] {
    const text = (): string => this.#inline(node.children);
    switch (node.name) {
      case 'head':
      case 'nav':
        return [];
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
        return [`${'#'.repeat(Number(node.name.slice(1)))} ${text()}`];
      case 'p':
        return [text()];
      case 'figcaption':
      case 'summary':
        return [`${text()}:`];
      case 'pre':
        return [`\`\`\`\n${plainText(node)}\n\`\`\``];
      case 'table':
        return [this.#table(node)];
      default:
        return this.blocks(node.children);
    }
  }

  #table(table: Element): string {
    const rows = inside(table, 'tr').map((row) =>
      inside(row, 'th', 'td').map((cell) => this.#inline(cell.children).replaceAll('|', String.raw`\|`)),
    );
    const [head = []] = rows;
    const lines = [head, head.map(() => '---'), ...rows.slice(1)];
    return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }

  #inline(nodes: readonly Node[]): string {
    const text = nodes.map((node) => this.#phrase(node)).join('');
    return text.replaceAll(/\s+/g, ' ').trim();
  }

  #phrase(node: Node): string {
    if (!isElement(node)) return node.type === ElementType.Text ? node.data : '';
    if (node.name === 'code') return `\`${plainText(node)}\``;
    const text = node.children.map((child) => this.#phrase(child)).join('');
    const { href } = node.attribs;
    if (href?.startsWith('/')) return `[${text}](${this.#origin}${href})`;
    // The names of a route stand beside each other.
    return node.name === 'span' ? `, ${text}` : text;
  }
}

const plainText = (node: Node): string => {
  if (isElement(node)) return node.children.map(plainText).join('');
  return node.type === ElementType.Text ? node.data : '';
};
