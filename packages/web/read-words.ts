// Finds texts in the app's source: those of the catalogue, and those that were left out of it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/**
 * The parts of the app on one page are for developers. The service worker and the widget's loader are bundles of their own. They show what a push or the widget's frame says;
 * what the loader writes to the console is for developers.
 */
const exclude = [
  'node_modules/**',
  'dist/**',
  'design/**',
  'test/**',
  'worker/**',
  'widget/load-widget.ts',
  '**/*.test.ts',
];

interface Source {
  path: string;
  code: string;
}

/** The files of the app that may contain messages. */
export const appSources = (): Source[] =>
  globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname, exclude }).map((path) => ({
    path,
    code: readFileSync(join(import.meta.dirname, path), 'utf8'),
  }));

/** A text in a source file: `start` and `end` enclose its literal. */
export interface Found {
  text: string;
  start: number;
  end: number;
}

/** A node of the syntax tree (ESTree). */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

function parse(path: string, code: string): Node {
  const { program, errors } = parseSync(path, code);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  return program as unknown as Node;
}

/** The text of a string literal, or of a template without expressions; undefined for other nodes. */
function literal(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node?.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as { value: { cooked: string } }[];
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
}

/** The name of the function or method that is called. */
function calledName(call: Node): string {
  const callee = call['callee'] as Node;
  const named = callee.type === 'MemberExpression' ? (callee['property'] as Node) : callee;
  return String(named['name']);
}

const isMessage = (node: Node): boolean =>
  node.type === 'CallExpression' && ['t', 'rich'].includes(String((node['callee'] as Node)['name']));

const isText = (node: Node): boolean => node.type === 'Literal' || node.type === 'TemplateLiteral';

/** The messages of a file, in order; throws if one is not a literal. */
export function messagesOf(path: string, code: string): Found[] {
  const found: Found[] = [];
  const visit = (node: Node): void => {
    if (isMessage(node)) {
      const first = (node['arguments'] as Node[])[0];
      const text = literal(first);
      if (first === undefined || text === undefined)
        throw new Error(`${path}: the message at ${node.start} is not a literal`);
      found.push({ text, start: first.start, end: first.end });
    }
    childrenOf(node).forEach(visit);
  };
  visit(parse(path, code));
  return found;
}

/** Fields of elements and objects that people read. */
const READ =
  /^(?:label|title|alt|placeholder|hint|text|heading|description|note|tooltip|question|button|confirm|action|empty|aria-(?:label|description|roledescription|placeholder|valuetext))$|(?:Label|Title|Text|Hint)$/;
/** Two words, or one that begins as sentences do. */
const WORDS = /\p{L}[’']*[,:;]? \p{L}|^\p{Lu}\p{Ll}+[.!?…:]?$|^[^\p{L}]*\p{Lu}\p{Ll}+ /u;
/** Names that look like words: keys of a keyboard, HTTP headers, brands. */
const NAMES =
  /^(?:Enter|Esc(?:ape)?|Tab|Space|Backspace|Delete|Home|End|Arrow\w+|Page(?:Up|Down)|Alt|Shift|Control|Ctrl|Meta|Parley|Content-Type|Authorization|Bearer|Error|AbortError|Mac\w*)$/;

/** Names of products: they are the same in every language. */
const PROPER_NAMES = /^(?:Firefox|Chrome|Safari|Edge?|Opera|Android|Windows|Linux|Anthropic)$/;

/** Media queries, and selectors of several elements. */
const STYLE_RULE = /^\([a-z-]+: |^[a-z]+(?:, [a-z]+)+$/;

/** Names of models, addresses, file types. */
const IDENTIFIER = /^[a-z][^\s{}\d/]*[\d/]\S*$/;

/** Functions whose arguments are compared, looked up in the page, or sent. */
const PROGRAMS = /^(?:includes|startsWith|endsWith|matches|closest|querySelector(?:All)?|setRequestHeader)$/;

/** Fields that programs read. */
const TECHNICAL =
  /^(?:id|key|rel|enterKeyHint|className|fontFamily|rootMargin|inset|margin|padding|transition|transform|background|border|viewBox|d)$/;

/** Texts that people would read and that are no messages: text in JSX, and literals that look like words. */
export function leftOut(path: string, code: string): Found[] {
  const found: Found[] = [];
  const add = (node: Node, text: string): void => void found.push({ text, start: node.start, end: node.end });
  const visitAllButTexts = (node: Node): void => {
    for (const child of childrenOf(node)) if (literal(child) === undefined) visit(child, '');
  };
  const visit = (node: Node, field: string): void => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (node['declaration']) visit(node['declaration'] as Node, '');
        return;
      case 'TSTypeAnnotation':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSLiteralType':
      case 'ThrowStatement':
      case 'Directive':
        return;
      case 'CallExpression':
        if (isMessage(node)) {
          for (const argument of (node['arguments'] as Node[]).slice(1)) visit(argument, '');
          return;
        }
        // Of an Error, as below.
        if ((node['callee'] as Node).type === 'Super') return;
        for (const child of childrenOf(node)) if (!PROGRAMS.test(calledName(node)) || !isText(child)) visit(child, '');
        return;
      case 'NewExpression':
        // What an Error says is for developers.
        if (/(?:Error|Exception)$/.test(calledName(node))) return;
        break;
      case 'JSXText':
        if (/\p{L}/u.test(String(node['value'])) && !NAMES.test(String(node['value']).trim()))
          add(node, String(node['value']).trim());
        return;
      case 'JSXAttribute': {
        const name = String((node['name'] as Node)['name']);
        if (isNode(node['value']) && !TECHNICAL.test(name)) visit(node['value'], name);
        return;
      }
      case 'Property':
        if (!TECHNICAL.test(String((node['key'] as Node)['name'])))
          visit(node['value'] as Node, String((node['key'] as Node)['name']));
        return;
      case 'AssignmentExpression': {
        const { type, property } = node['left'] as Node;
        if (type === 'MemberExpression' && TECHNICAL.test(String((property as Node)['name']))) return;
        break;
      }
      case 'BinaryExpression':
        // What is joined is shown; what is compared is not.
        if (node['operator'] === '+') break;
        visitAllButTexts(node);
        return;
      case 'SwitchCase':
      case 'MemberExpression':
        visitAllButTexts(node);
        return;
      case 'TemplateLiteral': {
        const texts = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
        const text = texts.join('…');
        if (
          READ.test(field)
            ? /\p{L}{2}/u.test(text)
            : texts.some((one) => /(?:^|\s)\p{L}{2,}(?:\s|$)/u.test(one)) && /\s/.test(text)
        )
          add(node, text);
        break;
      }
      case 'Literal':
        if (typeof node['value'] === 'string') {
          const text = node['value'];
          if ([NAMES, PROPER_NAMES, STYLE_RULE, IDENTIFIER].some((one) => one.test(text))) return;
          if (READ.test(field) ? /\p{L}{2}/u.test(text) : WORDS.test(text)) add(node, text);
        }
        return;
    }
    for (const child of childrenOf(node)) visit(child, field);
  };
  visit(parse(path, code), '');
  return found;
}
