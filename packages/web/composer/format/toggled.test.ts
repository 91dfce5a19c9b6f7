import { describe, expect, test } from 'vitest';
import type { Edit, Written } from './edit.ts';
import type { Format } from './formats.ts';
import { newLine } from './new-line.ts';
import { toggled } from './toggled.ts';

/** A text with its selection between « and »; a lone | is the caret. */
function read(shown: string): Written {
  const caret = shown.indexOf('¦');
  if (caret >= 0) return { text: shown.replace('¦', ''), start: caret, end: caret };
  const start = shown.indexOf('«');
  const end = shown.indexOf('»') - 1;
  return { text: shown.replace(/[«»]/g, '').replace(/[«»]/g, ''), start, end };
}

function shown({ text }: Written, edit: Edit): string {
  const next = text.slice(0, edit.from) + edit.text + text.slice(edit.to);
  const [before, inner, after] = [next.slice(0, edit.start), next.slice(edit.start, edit.end), next.slice(edit.end)];
  return edit.start === edit.end ? `${before}¦${after}` : `${before}«${inner}»${after}`;
}

const after = (format: Format, from: string): string => shown(read(from), toggled(read(from), format));
const lineAfter = (from: string): string | null => {
  const edit = newLine(read(from));
  return edit && shown(read(from), edit);
};

describe('WEB-500: a format that is chosen twice leaves the text as it was', () => {
  test.each<[Format, string, string]>([
    ['bold', 'a «word» here', 'a **«word»** here'],
    ['italic', 'a «word» here', 'a _«word»_ here'],
    ['italic', 'in«ter»nal', 'in*«ter»*nal'],
    ['code', 'a «word» here', 'a `«word»` here'],
    ['code', 'a «`word`y» here', 'a `` «`word`y» `` here'],
    ['bold', '_«word»_', '_**«word»**_'],
    ['italic', '**«word»**', '**_«word»_**'],
    ['bold', 'ein «schönes Wort».', 'ein **«schönes Wort»**.'],
    ['bullets', '«one\ntwo»', '«- one\n- two»'],
    ['numbers', '«one\n\ntwo»', '«1. one\n\n2. two»'],
    ['quote', '«one\n\ntwo»', '«> one\n>\n> two»'],
    ['code', '«one\n  two»', '```\n«one\n  two»\n```'],
    ['bullets', 'one¦', '- one¦'],
    ['quote', '¦', '> ¦'],
  ])('%s: %s', (format, before, formatted) => {
    expect(after(format, before)).toBe(formatted);
    expect(after(format, formatted)).toBe(before);
  });
});

describe('WEB-500: formats', () => {
  test.each<[string, Format, string, string]>([
    ['leave the spaces around the selection outside', 'bold', 'a« word »here', 'a **«word»** here'],
    ['mark the word at the caret', 'bold', 'a wo¦rd', 'a **wo¦rd**'],
    ['begin at a caret beside a word', 'bold', 'a word ¦', 'a word **¦**'],
    ['end again if nothing was written', 'bold', 'a word **¦**', 'a word ¦'],
    ['end behind the last word', 'bold', '**a word¦**', '**a word**¦'],
    ['are taken away with the caret in them', 'bold', '**a wo¦rd**', 'a wo¦rd'],
    ['are taken away of a part of what they mark', 'bold', '**a «word»**', 'a «word»'],
    ['are taken away if their marks are selected', 'bold', 'x «**word**» y', 'x «word» y'],
    ['know the other mark of bold', 'bold', '__«word»__', '«word»'],
    ['know the other mark of italic', 'italic', '*«word»*', '«word»'],
    ['take bold from bold and italic', 'bold', '***«word»***', '*«word»*'],
    ['take italic from bold and italic', 'italic', '***«word»***', '**«word»**'],
    ['do not take marks in code for their own', 'bold', '`**` «word» **', '`**` **«word»** **'],
    ['do not take escaped signs for marks', 'italic', '\\*«word»\\*', '\\*_«word»_\\*'],
    ['mark each line of several', 'bold', '«- one\n\n- two»', '«- **one**\n\n- **two**»'.replace('«- ', '- «')],
    ['mark the lines that lack it', 'bold', '«**one**\ntwo»', '**one**\n«**two**»'],
    ['number on after the item above', 'numbers', '3. three\n¦four', '3. three\n4. ¦four'],
    ['turn one kind of list into the other', 'numbers', '«- one\n- two»', '«1. one\n2. two»'],
    ['keep how far an item is indented', 'bullets', '  on¦e', '  - on¦e'],
    ['take the boxes of tasks away', 'bullets', '- [x] do¦ne', 'do¦ne'],
    ['keep what follows out of a quote', 'quote', 'on¦e\ntwo', '> on¦e\n\ntwo'],
    ['keep the next item in its list', 'bullets', '¦one\n- two', '- ¦one\n- two'],
    ['leave the line below the selection', 'bullets', '«one\n»two', '«- one»\n\ntwo'],
    ['take the fence of code away', 'code', '```js\nco¦de\n```', '«code»'],
    ['fence code that has a fence', 'code', '«```\nx»', '````\n«```\nx»\n````'],
    ['ask for the address of a link', 'link', 'see «this»', 'see [this](«https://»)'],
    ['ask for the words of a link', 'link', 'see «https://x.example/a»', 'see [¦](https://x.example/a)'],
    ['take the link from its words', 'link', 'see [th¦is](https://x.example)', 'see «this»'],
  ])('%s', (_, format, before, formatted) => {
    expect(after(format, before)).toBe(formatted);
  });
});

describe('WEB-503: a new line', () => {
  test.each([
    ['goes on with a list', '- one¦', '- one\n- ¦'],
    ['takes the rest of its line along', '* one¦ two', '* one\n* ¦ two'],
    ['counts on', '9) nine¦', '9) nine\n10) ¦'],
    ['begins a task that is not done', '  - [x] one¦', '  - [x] one\n  - [ ] ¦'],
    ['goes on with a quote', '> one¦', '> one\n> ¦'],
    ['goes on with a quote in a quote', '>> one¦', '>> one\n>> ¦'],
    ['ends a list at an item without words', '- one\n- ¦', '- one\n¦'],
    ['ends a quote', '> one\n> ¦', '> one\n¦'],
    ['replaces the selection', '- o«n»e', '- o\n- ¦e'],
  ])('%s', (_, before, formatted) => {
    expect(lineAfter(before)).toBe(formatted);
  });

  test.each(['plain words¦', '¦- one', '```\n- one¦', '-¦ one', '**bold**¦', ''])(
    'is left to the field: %s',
    (before) => {
      expect(lineAfter(before === '' ? '¦' : before)).toBeNull();
    },
  );
});

test('WEB-500: formatting a long text takes less than a second', () => {
  const long = '*'.repeat(8_000) + ' `a` _b_ **c** '.repeat(2_000);
  const begun = performance.now();
  for (const format of ['bold', 'italic', 'link', 'bullets', 'numbers', 'quote', 'code'] as const)
    toggled({ text: long, start: 0, end: long.length }, format);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
