import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { asMarkdown, type Documents, isMarkdown, relativeAddress } from './documents.ts';

/** The Markdown of a file's page: the document itself, the list of a folder's files, or the file as code. */
export function sourceOf(documents: Documents, file: string): string {
  if (documents.isFolder(file)) return folderSource(documents, file);
  const text = readFileSync(join(documents.root, file), 'utf8');
  return isMarkdown(file) ? text : `# ${file}\n\n\`\`\`\`${extname(file).slice(1)}\n${text}\`\`\`\`\n`;
}

function folderSource(documents: Documents, folder: string): string {
  const lines = readdirSync(join(documents.root, folder)).flatMap((name) => {
    const file = `${folder}/${name}`;
    const isListed = !documents.isFolder(file) || documents.has(`${file}/README.md`);
    // The name inside the folder: the link is resolved from the folder's own path.
    return isListed ? [`- [${name}](${folder.split('/').at(-1)}/${name})`] : [];
  });
  return `# ${folder}\n\n${lines.toSorted().join('\n')}\n`;
}

/** A document as Markdown for programs, with links to the Markdown of the other pages. Code stays as it is. */
export function markdownFile(documents: Documents, file: string): string {
  return sourceOf(documents, file)
    .split(/(^ *```[^]*?^ *```$)/m)
    .map((part, at) => (at % 2 === 1 ? part : withLinks(documents, file, part)))
    .join('');
}

const withLinks = (documents: Documents, file: string, text: string): string =>
  text.replaceAll(/\]\(([^()\s]+)\)/g, (whole, href: string) => {
    const target = documents.target(file, href);
    if (target.kind !== 'file' && target.kind !== 'picture') return whole;
    const to = documents.address(target.file);
    const anchor = target.kind === 'file' ? target.anchor : '';
    return `](${relativeAddress(documents.address(file), isMarkdown(target.file) ? asMarkdown(to) : to)}${anchor})`;
  });
