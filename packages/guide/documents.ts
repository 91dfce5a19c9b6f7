import { existsSync, globSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** What a link of a document leads to. */
export type Target =
  /** Another site, or a place on the same page. */
  | { readonly kind: 'as written' }
  /** A file or folder of the repository, by its path from the root. `anchor` begins with #, or is empty. */
  | { readonly kind: 'file'; readonly file: string; readonly anchor: string }
  | { readonly kind: 'picture'; readonly file: string }
  | { readonly kind: 'missing' };

const isPicture = (file: string): boolean => /\.(?:png|svg|jpg|webp)$/.test(file);
export const isMarkdown = (file: string): boolean => file.endsWith('.md');

/** The files of the repository as pages of a site. */
export class Documents {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** The documents in docs/. */
  documents(): string[] {
    return globSync('docs/**/*.md', { cwd: this.root }).map((file) => file.replaceAll('\\', '/'));
  }

  has(file: string): boolean {
    return existsSync(join(this.root, file));
  }

  isFolder(file: string): boolean {
    return statSync(join(this.root, file)).isDirectory();
  }

  /** The address of the page of a file or folder, from the site's first page. */
  address(file: string): string {
    const path = file.startsWith('docs/') ? file.replace(/^docs\/(?:guide\/)?/, '') : `repository/${file}`;
    // Web servers hide files whose names begin with a dot.
    const name = path.toLowerCase().replaceAll('/.', '/');
    if (this.isFolder(file)) return `${name}/index.html`;
    return isPicture(name) ? name : `${name.replace(/\.md$/, '')}.html`;
  }

  /** A link to a folder leads to its README, if it has one, as on the sites that show repositories. */
  target(from: string, href: string): Target {
    if (/^(?:[a-z][a-z+.-]*:|\/|#)/i.test(href)) return { kind: 'as written' };
    const [path = ''] = href.split('#');
    const file = posix.join(posix.dirname(from), path).replace(/\/$/, '');
    if (file.startsWith('..') || !this.has(file)) return { kind: 'missing' };
    if (isPicture(file)) return { kind: 'picture', file };
    const readme = `${file}/README.md`;
    return {
      kind: 'file',
      file: this.isFolder(file) && this.has(readme) ? readme : file,
      anchor: href.slice(path.length),
    };
  }
}

/** From one page to another address of the site: the site works below any path, and on any web server. */
export const relativeAddress = (from: string, to: string): string => posix.relative(posix.dirname(from), to);

/** The address of a page as Markdown, beside the page. */
export const asMarkdown = (address: string): string => address.replace(/html$/, 'md');
