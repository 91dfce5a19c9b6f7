// A plugin of the linter: refuses regular expressions whose time is not linear in the text that they are given.
import { analyse } from 'scslre';
import { elapsedTime } from './elapsed-time.ts';
import { movingStart } from './moving-starts.ts';

/** The nodes of a program that the rule reads, of ESTree. */
interface Node {
  type: string;
  [field: string]: unknown;
}
interface Context {
  report: (found: { node: Node; message: string }) => void;
}

const REMEDY =
  'Let it start only where no run goes on: by (?<!…), an anchor, the y flag, or a class without what it begins with.';

/** What a text could make of an expression: a clear message, or undefined if its time is linear. */
export function superLinear(source: string, flags: string): string | undefined {
  const [found] = analyse({ source, flags }, { maxReports: 1 }).reports;
  if (!found) {
    const part = movingStart(source, flags);
    return part && `Text can start the search again and again within ${part}, which takes quadratic time. ${REMEDY}`;
  }
  const { type, character, exponential } = found;
  if (type === 'Move')
    return `Every "${character.pick}" of a run starts another search through the run, which takes quadratic time. ${REMEDY}`;
  return `A run of "${character.pick}" can be divided in many ways, which takes ${exponential ? 'exponential' : 'quadratic'} time. Make what may follow a quantifier differ from what it repeats.`;
}

/** The constant texts of a module by their names, as far as they can be read from its syntax. */
class Constants {
  readonly #initials = new Map<string, Node>();

  add({ id, init }: Node): void {
    // An ESTree declarator: its name, and its value if it has one.
    const [name, value] = [id as Node, init as Node | null];
    if (name.type === 'Identifier' && value) this.#initials.set(String(name['name']), value);
  }

  /** The text of an expression; undefined if it is known only when the program runs. */
  textOf(node: Node | undefined): string | undefined {
    if (node?.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
    if (node?.type === 'Identifier') return this.textOf(this.#initials.get(String(node['name'])));
    if (node?.type === 'TemplateLiteral') return this.#template(node, 'cooked');
    if (node?.type === 'BinaryExpression' && node['operator'] === '+')
      return this.#joined([node['left'] as Node, node['right'] as Node].map((side) => this.textOf(side)));
    // Only `String.raw` is a tag whose text is constant.
    if (node?.type !== 'TaggedTemplateExpression') return undefined;
    const { object, property } = node['tag'] as { object?: Node; property?: Node };
    if (object?.['name'] !== 'String' || property?.['name'] !== 'raw') return undefined;
    return this.#template(node['quasi'] as Node, 'raw');
  }

  #template(node: Node, form: 'cooked' | 'raw'): string | undefined {
    // The pieces of an ESTree template, and the expressions between them.
    const quasis = node['quasis'] as { value: { cooked: string; raw: string } }[];
    const expressions = node['expressions'] as Node[];
    return this.#joined(
      quasis.flatMap(({ value }, at) => (at === 0 ? [value[form]] : [this.textOf(expressions[at - 1]), value[form]])),
    );
  }

  #joined(parts: readonly (string | undefined)[]): string | undefined {
    return parts.includes(undefined) ? undefined : parts.join('');
  }
}

const linearExpressions = {
  create(context: Context) {
    const constants = new Constants();
    const calls: Node[] = [];
    const constructed = (node: Node): void => {
      if ((node['callee'] as Node)['name'] === 'RegExp') calls.push(node);
    };
    const check = (node: Node, source: string, flags: string): void => {
      const message = superLinear(source, flags);
      if (message !== undefined) context.report({ node, message });
    };
    return {
      Literal(node: Node): void {
        const regex = node['regex'] as { pattern: string; flags: string } | undefined; // set on expressions only
        if (regex) check(node, regex.pattern, regex.flags);
      },
      VariableDeclarator: (node: Node): void => constants.add(node),
      NewExpression: constructed,
      CallExpression: constructed,
      // Constants may be declared below the functions that use them.
      'Program:exit'(): void {
        for (const node of calls) {
          const [pattern, flags] = node['arguments'] as Node[];
          const source = constants.textOf(pattern);
          const flagText = flags ? constants.textOf(flags) : '';
          if (source === undefined || flagText === undefined)
            context.report({ node, message: 'This expression is known only at run time: nobody can tell its time.' });
          else check(node, source, flagText);
        }
      },
    };
  },
};

// oxlint-disable-next-line import/no-default-export -- the linter takes the default export of a plugin
export default {
  meta: { name: 'parley' },
  rules: { 'linear-expressions': linearExpressions, 'elapsed-time': elapsedTime },
};
