// Finds expressions whose search begins again and again within a run of words, such as `!\[[^\]]*\]` in `![![![`. The
// analyser scslre sees such runs only of a single character.
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { type Concatenation, type Expression, JS, NFA, type NoParent, transform, Transformers } from 'refa';

type Node = NoParent<Concatenation>['elements'][number];

/** Turns assertions into the classes of characters that they leave. */
const applied = Transformers.applyAssertions();

const concatenation = (elements: Node[]): NoParent<Concatenation> => ({ type: 'Concatenation', elements });

/** The quantified part that a run of words can start again in quadratic time; undefined if there is none. */
export function movingStart(source: string, flags: string): string | undefined {
  if (flags.includes('y')) return undefined;
  const parser = new RegExpParser();
  const [unicode, unicodeSets] = [flags.includes('u'), flags.includes('v')];
  const pattern = parser.parsePattern(source, 0, source.length, { unicode, unicodeSets });
  const reader = JS.Parser.fromAst({ pattern, flags: parser.parseFlags(flags) });
  let found: string | undefined;
  visitRegExpAST(pattern, {
    onQuantifierEnter(quantifier) {
      if (found === undefined && quantifier.max === Infinity && startsAgain(quantifier, reader)) found = quantifier.raw;
    },
  });
  return found;
}

function startsAgain(quantifier: AST.Quantifier, reader: JS.Parser): boolean {
  const { before, after } = around(quantifier);
  if (before === null || !after.some(canReject)) return false;
  const read = (element: AST.Element, assertions: 'disable' | 'parse'): Node => {
    const { alternatives } = reader.parseElement(element, { assertions, backreferences: 'disable' }).expression;
    return { type: 'Alternation', alternatives };
  };
  // What holds only at some places, such as a line's beginning, does not hold within a run.
  const beginning = before.map((element) => read(element, 'disable'));
  const { element } = quantifier;
  const repeated = (min: number): Node => ({
    type: 'Quantifier',
    alternatives: [concatenation([read(element, 'parse')])],
    min,
    max: Infinity,
    lazy: false,
  });
  const { maxCharacter } = reader;
  const automaton = (elements: Node[]): NFA => {
    const whole: NoParent<Expression> = { type: 'Expression', alternatives: [concatenation(elements)] };
    return NFA.fromRegex(transform(applied, whole), { maxCharacter }, { assertions: 'ignore' });
  };
  const started = automaton([...beginning, repeated(0)]);
  const run = automaton([repeated(1)]);
  const both = NFA.fromIntersection(started, run);
  both.withoutEmptyWord();
  return !both.isEmpty;
}

/** The elements before and after an element on a way through the pattern; `before` is null within a lookbehind. */
function around(start: AST.Element): { before: AST.Element[] | null; after: AST.Element[] } {
  const before: AST.Element[] = [];
  const after: AST.Element[] = [];
  let isBehind = false;
  let child: AST.Node = start;
  for (let parent: AST.Node | null = child.parent; parent; child = parent, parent = parent.parent) {
    if (parent.type === 'Assertion' && parent.kind === 'lookbehind') isBehind = true;
    if (parent.type !== 'Alternative') continue;
    // Its parent is this alternative, whose elements contain it.
    const at = parent.elements.indexOf(child as AST.Element);
    before.unshift(...parent.elements.slice(0, at));
    after.push(...parent.elements.slice(at + 1));
  }
  return { before: isBehind ? null : before, after };
}

/** Whether the text that follows can make a match fail. */
function canReject(element: AST.Element): boolean {
  if (element.type === 'Quantifier') return element.min > 0 && canReject(element.element);
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') return true;
  return element.alternatives.every(({ elements }) => elements.some(canReject));
}
