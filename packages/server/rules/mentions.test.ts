import { runsOf } from '@parley/testing/depth.ts';
import { isLinear } from '@parley/testing/clocks/linear-time.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMentions } from './mentions.ts';

const people = ['a', 'ann', 'bob', 'bobby', 'under_score', '42', 'a:provider_a', 'a:help', 'bob:critic'];
const mentions = (text: string) => findMentions(text, people);

function cases(rows: readonly (readonly [title: string, text: string, expected: readonly string[]])[]): void {
  test.each(rows)('%s', (_title, text, expected) => {
    expect(mentions(text)).toEqual(expected);
  });
}

cases([
  ['MENTION-1: a username after an @', 'Hi @bob', ['bob']],
  ['MENTION-1: an agent by owner and slug', 'Hi @a:provider_a', ['a:provider_a']],
  ['MENTION-1: digits and underscores', '@42 and @under_score', ['42', 'under_score']],
  ['MENTION-1: participants only', 'Hi @carol and @a:nobody', []],
  ['MENTION-1: no @, no mention', 'Hi bob', []],
  ['MENTION-1: an @ alone, at the end, doubled', '@ bob @@bob @', ['bob']],
  ['MENTION-1: within punctuation', '(@bob), "@ann"/*@a*', ['bob', 'ann', 'a']],

  ['MENTION-2: in any case', 'Hi @BoB and @A:Provider_A', ['bob', 'a:provider_a']],
  ['MENTION-2: a letter that only lower-casing makes an ASCII one is another letter', '@\u212Aa @\u0130', []],

  ['MENTION-3: the longest match wins', '@a:provider_a', ['a:provider_a']],
  ['MENTION-3: the longest match wins over a name that begins alike', '@bobby', ['bobby']],
  ['MENTION-3: a longer name that nobody has is not the shorter one', '@bobb @a:provider_ab @ann:help', []],

  ['MENTION-4: ends at punctuation', '@bob, @ann. @a!', ['bob', 'ann', 'a']],
  ['MENTION-4: ends at a hyphen', '@bob-san', ['bob']],
  ['MENTION-4: ends at a dot', '@bob.com', ['bob']],
  ['MENTION-4: ends at another @', '@bob@ann', ['bob']],
  ['MENTION-4: ends at an emoji', '@bob😀', ['bob']],
  ['MENTION-4: goes on with a letter of a script with spaces', '@bobé @bobe\u0301 @bobя @bob𝒳 @bob٣ @bobअ', []],
  ['MENTION-4: ends at a letter of Chinese or Japanese', '@bob请看 @annさん', ['bob', 'ann']],
  ['MENTION-4: ends at a letter of Korean or Thai', '@bob님 @annครับ', ['bob', 'ann']],
  ['MENTION-4: ends at a letter of Lao, Khmer or Burmese', '@bobແດ່ @annសូម @aမှာ', ['bob', 'ann', 'a']],
  ['MENTION-4: a name as long as names get', `@${'x'.repeat(65)} @${'1'.repeat(200_000)} @bob`, ['bob']],

  ['MENTION-5: a colon before a blank ends it', '@bob: hi', ['bob']],
  ['MENTION-5: a colon before punctuation or the end ends it', '@bob:) @a::help @ann:', ['bob', 'a', 'ann']],
  ['MENTION-5: a colon before a letter, digit or _ belongs to it', '@bob:x @bob:1 @bob:_ @bob:é', []],
  ['MENTION-5: another slug is neither the agent nor its owner', '@a:helpxyz', []],
  ['MENTION-5: after an agent just the same', '@a:help: go @a:provider_a:x', ['a:help']],

  ['MENTION-6: not in an e-mail address', 'x@bob.com first.last@bob x_@bob 1@bob', []],
  ['MENTION-6: not after a letter of a script with spaces', 'é@bob e\u0301@bob я@bob 𝒳@bob अ@bob कि@bob', []],
  ['MENTION-6: after a letter of a script without spaces', '请@bob看 도@ann กา@a ที่@nn', ['bob', 'ann', 'a']],
  ['MENTION-6: after other characters', '/@bob 😀@ann', ['bob', 'ann']],
  ['MENTION-6: a dot, a plus or a hyphen does not prevent one', 'Thanks.@bob and +@ann', ['bob', 'ann']],

  ['MENTION-7: not in a code span', '`@bob` @ann', ['ann']],
  ['MENTION-7: runs of backticks close with equal ones', '`` ` @bob ``` `` @ann', ['ann']],
  ['MENTION-7: an unclosed run is literal', '`@bob `` @ann ```', ['bob', 'ann']],
  ['MENTION-7: an escaped backtick opens nothing', '\\`@bob`', ['bob']],
  ['MENTION-7: a backslash within a code span escapes nothing', '`\\` @bob`', ['bob']],
  ['MENTION-7: an escaped backslash escapes nothing', '\\\\`@bob`', []],
  ['MENTION-7: a code span over two lines', '`x\n@bob` @ann', ['ann']],
  ['MENTION-7: a code span ends with its paragraph', '`x\n\n@bob` @ann', ['bob', 'ann']],
  ['MENTION-7: a code span ends with its list item', '- a ` b\n- @bob ` c', ['bob']],
  ['MENTION-7: a code span ends with its heading', '# a ` b\n@bob ` c', ['bob']],

  ['MENTION-8: not in a fenced code block', '```\n@bob\n```\n@ann', ['ann']],
  ['MENTION-8: not in the line that opens it', '~~~ @bob\n~~~\n@ann', ['ann']],
  ['MENTION-8: a backtick after backticks makes it no fence', '``` @bob `\n@ann', ['bob', 'ann']],
  ['MENTION-8: two backticks make no fence', '``\n@bob\n\n@ann', ['bob', 'ann']],
  ['MENTION-8: closed by a fence at least as long', '````\n```\n@bob\n`````\n@ann', ['ann']],
  ['MENTION-8: closed by the same character only', '```\n~~~\n@bob\n```\n@ann', ['ann']],
  ['MENTION-8: text behind the fence closes nothing', '```\n``` x\n@bob\n``` \t\n@ann', ['ann']],
  ['MENTION-8: up to 3 spaces before it', '   ```\n@bob\n   ```\n@ann', ['ann']],
  ['MENTION-8: 4 spaces before it close nothing', '```\n    ```\n@bob\n```\n@ann', ['ann']],
  ['MENTION-8: unclosed it runs to the end', '@ann\n```\n\n@bob\n', ['ann']],
  ['MENTION-8: it interrupts a paragraph', '@ann\n```\n@bob\n```', ['ann']],
  ['MENTION-8: with CRLF line ends', '```\r\n@bob\r\n```\r\n@ann', ['ann']],
  ['MENTION-8: a code span does not reach into it', '` @ann\n```\n@bob `\n```', ['ann']],
  ['MENTION-8: in a quote, whose end ends it', '> ```\n> @bob\n> `@bob\n@ann', ['ann']],
  ['MENTION-8: in a list item, whose end ends it', '1. ```\n   @bob\n\n   @bob\n@ann', ['ann']],

  ['MENTION-9: not in an indented code block', '    @bob\n\n\t@bob\n@ann', ['ann']],
  ['MENTION-9: a paragraph goes on indented', '@ann\n    @bob', ['ann', 'bob']],
  ['MENTION-9: 3 spaces are no code', '   @bob', ['bob']],
  ['MENTION-9: within a list item the indent counts from its text', '1.  one\n\n    @ann\n\n        @bob', ['ann']],
  ['MENTION-9: a nested list is no code', '- one\n    - @ann\n\n      @bob', ['ann', 'bob']],
  ['MENTION-9: after a list has ended it is code again', '- one\n\n@ann\n\n    @bob', ['ann']],
  ['MENTION-9: an item that begins with code', '-     @bob\n- @ann', ['ann']],
  ['MENTION-9: in a quote', '>     @bob\n> @ann', ['ann']],
  ['MENTION-9: after a heading', '# one\n    @bob\n@ann', ['ann']],
  ['MENTION-9: a line of = makes no heading, so the paragraph goes on', '@ann\n===\n    @bob', ['ann', 'bob']],
  ['MENTION-9: after an item of nothing but its mark', '-\n\n    @bob\n@ann', ['ann']],
  ['MENTION-9: after a thematic break', '@ann\n\n* * *\n    @bob', ['ann']],

  ['MENTION-10: not in tag markup', '{% card to="@bob" /%} @ann', ['ann']],
  ['MENTION-10: what stands between two tags counts', '{% card %} @bob {% /card %}', ['bob']],
  ['MENTION-10: not in a tag over several lines', '{% card\n    to="@bob"\n/%} @ann', ['ann']],
  ['MENTION-10: not in a tag that holds a blank line', '{% card a="x\n\n@bob" /%} @ann', ['ann']],
  ['MENTION-10: a tag holds no beginning of another one', '{% a @bob {% b %} @ann', ['bob', 'ann']],
  ['MENTION-10: a quoted %} ends no tag', '{% card to="%} @bob \\" %} @bob" /%} @ann', ['ann']],
  ['MENTION-10: an unclosed tag is literal', '100% of {% and @bob', ['bob']],
  ['MENTION-10: an unclosed quote makes no tag, the next one stands', '{% " @ann {% to=@bob %}', ['ann']],
  ['MENTION-10: an escaped brace opens no tag', '\\{% @bob %}', ['bob']],
  ['MENTION-10: what begins first wins, tag', '{% x="`" %} @ann `', ['ann']],
  ['MENTION-10: what begins first wins, code', '`{%` @ann %}', ['ann']],

  ['MENTION-11: each once, in order of first appearance', '@bob @ann @BOB @a @ann', ['bob', 'ann', 'a']],
  ['MENTION-11: a mention in code is no appearance', '`@bob` @ann @bob', ['ann', 'bob']],
]);

describe('for any text', () => {
  const openings = ['`', '``', '```', '~~~', '{%', '%}', '"', '\\', '> ', '- ', '1. ', '# ', '***'];
  const others = ['@bob', '@ann', '@a:help', '@', ':', ' ', '\n', '\n\n', '    ', '\t', '\r\n', 'x', 'é', '😀'];
  const piece = fc.constantFrom(...openings, ...others);
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
  const size = { numRuns: runsOf(1000) };

  test('MENTION-1, MENTION-11: only candidates that the text contains are found, each once', () => {
    fc.assert(
      fc.property(text, (given) => {
        const found = mentions(given);
        expect(new Set(found).size).toBe(found.length);
        expect(found.every((name) => people.includes(name) && given.includes(`@${name}`))).toBe(true);
      }),
      size,
    );
  });

  test('MENTION-8: no text mentions anyone inside a fence that it does not close', () => {
    fc.assert(
      fc.property(text, (given) => {
        if (given.includes('~~~~')) return;
        expect(mentions(`~~~~\n${given}\n~~~~\n@bob`)).toEqual(['bob']);
      }),
      size,
    );
  });

  test('MENTION-7, MENTION-10: a mention in the next paragraph counts, whatever the text before it leaves open, except a fence', () => {
    fc.assert(
      fc.property(text, (given) => {
        if (/```|~~~/.test(given)) return;
        expect(mentions(`${given}\n\n@a:provider_a`)).toContain('a:provider_a');
      }),
      size,
    );
  });

  test('MENTION-11: the order of candidates does not matter', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(findMentions(given, people.toReversed())).toEqual(mentions(given));
      }),
      size,
    );
  });
});

const upTo = (length: number, unit: string) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

describe('MENTION-12: time is linear in the text, whatever the text', () => {
  const texts: Record<string, (size: number) => string> = {
    'no space': (size) => `@${upTo(size, 'x')}`,
    'one mention after another': (size) => upTo(size, '@bob '),
    backticks: (size) => `@bob${upTo(size, '`')}`,
    'runs of backticks, each longer': (size) =>
      `@bob ${Array.from({ length: Math.sqrt(2 * size) }, (_, n) => '`'.repeat(n)).join(' ')}`,
    'pairs of backticks with one between': (size) => `@bob ${upTo(size, '`` ` ')}`,
    'tag openings': (size) => `@bob${upTo(size, '{%')}`,
    'tag openings and quotes': (size) => `@bob${upTo(size, '{% " \\"')}`,
    'tag openings and a closing': (size) => `@bob${upTo(size, '{%')}%}`,
    'at signs': (size) => upTo(size, '@'),
    'names that are nobody': (size) => upTo(size, '@é'),
    'names with colons': (size) => upTo(size, '@a:a'),
    colons: (size) => `@a${upTo(size, ':a')}`,
    'quote marks': (size) => `@bob\n${upTo(size, '>')}`,
    'list marks': (size) => `@bob\n\n${upTo(size, '- ')}x`,
    'nested lists, then blank lines': (size) => `@bob\n\n${upTo(size / 2, '- ')}x${upTo(size / 2, '\n')}`,
    'nested lists and quotes on every line': (size) => `@bob\n\n${upTo(size, `${upTo(60, '> - ')}x\n`)}`,
    'fences in quotes': (size) => `@bob\n\n${upTo(size, '> ```\n\n')}`,
    escapes: (size) => `@bob${upTo(size, '\\`')}`,
    blanks: (size) => `@bob\n${upTo(size, ' ')}`,
  };
  test.each(Object.entries(texts))('MENTION-12: %s', (_, textOf) => {
    expect(isLinear(mentions, textOf, 8 * 1024)).toBe(true);
  });
});
