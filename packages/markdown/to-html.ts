// The tree as the HTML of the specifications' examples, for tests.
import type { Block, Cell, Inline, ListItem } from './tree.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const inlineHtml = (inlines: readonly Inline[]): string => inlines.map(htmlOfInline).join('');

function htmlOfInline(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
    case 'mention':
    case 'markup':
    case 'formula':
      return escaped(inline.text);
    case 'code':
      return `<code>${escaped(inline.text)}</code>`;
    case 'break':
      return '\n';
    case 'strong':
      return `<strong>${inlineHtml(inline.children)}</strong>`;
    case 'emphasis':
      return `<em>${inlineHtml(inline.children)}</em>`;
    case 'strike':
      return `<del>${inlineHtml(inline.children)}</del>`;
    case 'link':
      return `<a href="${escaped(inline.url)}">${inlineHtml(inline.children)}</a>`;
    case 'image':
      return `<img src="${escaped(inline.url)}" alt="${escaped(inline.alt)}" />`;
    case 'footnote mark':
      return `[^${inline.number}]`;
    case 'tag':
      return '';
    default:
      return inline satisfies never;
  }
}

/** The HTML of blocks, one block after the other. Every line end within a paragraph is a soft one. */
export const htmlOf = (blocks: readonly Block[]): string => blocks.map((block) => htmlOfBlock(block)).join('');

function htmlOfBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${inlineHtml(block.children)}</p>\n`;
    case 'heading':
      return `<h${block.level}>${inlineHtml(block.children)}</h${block.level}>\n`;
    case 'code': {
      const [language] = block.info.split(/[ \t]/, 1);
      const attribute = language ? ` class="language-${escaped(language)}"` : '';
      return `<pre><code${attribute}>${escaped(block.text)}${block.text === '' ? '' : '\n'}</code></pre>\n`;
    }
    case 'rule':
      return '<hr />\n';
    case 'footnote':
      return `<p>[^${block.number}]: ${inlineHtml(block.children)}</p>\n`;
    case 'quote':
      return `<blockquote>\n${htmlOf(block.blocks)}</blockquote>\n`;
    case 'list': {
      const name = block.start === null ? 'ul' : 'ol';
      const start = block.start === null || block.start === 1 ? '' : ` start="${block.start}"`;
      return `<${name}${start}>\n${block.items.map((item) => itemHtml(item, block.isLoose)).join('')}</${name}>\n`;
    }
    case 'table':
      return tableHtml(block);
    case 'tag':
      return htmlOf(block.blocks);
    default:
      return block satisfies never;
  }
}

function itemHtml({ isDone, blocks }: ListItem, isLoose: boolean): string {
  let html = '<li>';
  if (isDone !== null) html += `<input ${isDone ? 'checked="" ' : ''}disabled="" type="checkbox"> `;
  for (const block of blocks) {
    if (block.kind === 'paragraph' && !isLoose) html += inlineHtml(block.children);
    else html += `${html.endsWith('\n') ? '' : '\n'}${htmlOfBlock(block)}`;
  }
  return `${html}</li>\n`;
}

function tableHtml({ alignments, head, rows }: Extract<Block, { kind: 'table' }>): string {
  const rowHtml = (row: readonly Cell[], name: string): string => {
    const cells = alignments.map((alignment, at) => {
      const attribute = alignment === null ? '' : ` align="${alignment}"`;
      return `<${name}${attribute}>${inlineHtml(row[at] ?? [])}</${name}>\n`;
    });
    return `<tr>\n${cells.join('')}</tr>\n`;
  };
  const body = rows.length === 0 ? '' : `<tbody>\n${rows.map((row) => rowHtml(row, 'td')).join('')}</tbody>\n`;
  return `<table>\n<thead>\n${rowHtml(head, 'th')}</thead>\n${body}</table>\n`;
}
