// A rule of the linter: refuses arithmetic with dates, which measures elapsed time by a clock that can be set (TIME-1).

/** The nodes of a program that the rule reads, of ESTree. */
interface Node {
  type: string;
  [field: string]: unknown;
}
interface Context {
  report: (found: { node: Node; message: string }) => void;
}

const ELAPSED =
  'A date can be set at any moment: take elapsed time from `monotonic()`, or calculate with dates by the functions of @parley/protocol/dates.';

const operators = new Set(['+', '-', '<', '<=', '>', '>=', '+=', '-=']);

/** Whether an expression is the current date: `Date.now()`, or the `now()` of a clock, which is not `performance`. */
function isDateNow(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const callee = node['callee'] as Node;
  if (callee.type === 'Identifier') return callee['name'] === 'now';
  if (callee.type !== 'MemberExpression') return false;
  const [object, property] = [callee['object'] as Node, callee['property'] as Node];
  return String(property['name']).replace('#', '') === 'now' && object['name'] !== 'performance';
}

const isBound = (node: Node): boolean =>
  node.type === 'CallExpression' &&
  ((node['callee'] as Node)['object'] as Node | undefined)?.['name'] === 'Math' &&
  (node['arguments'] as Node[]).length > 1;

/** The names that functions and the file declare, innermost last: true for those that hold the current date. */
type Names = Map<string, boolean>;

const isFunction = ({ type }: Node): boolean => /Function/.test(type);

export const elapsedTime = {
  create(context: Context) {
    const scopes: Names[] = [new Map()];
    const holdsDate = (node: Node): boolean => {
      if (isDateNow(node)) return true;
      if (node.type === 'TSNonNullExpression' || node.type === 'ChainExpression')
        return holdsDate(node['expression'] as Node);
      if (node.type === 'LogicalExpression' || node.type === 'ConditionalExpression') {
        const sides = node.type === 'LogicalExpression' ? ['left', 'right'] : ['consequent', 'alternate'];
        return sides.some((side) => holdsDate(node[side] as Node));
      }
      if (isBound(node)) return (node['arguments'] as Node[]).some(holdsDate);
      if (node.type !== 'Identifier') return false;
      return scopes.findLast((names) => names.has(String(node['name'])))?.get(String(node['name'])) === true;
    };
    const declare = (target: Node, value: Node | null): void => {
      if (target.type === 'Identifier') scopes.at(-1)?.set(String(target['name']), value !== null && holdsDate(value));
      // `const [a, b] = [clock.now(), …]`.
      if (target.type !== 'ArrayPattern' || value?.type !== 'ArrayExpression') return;
      const values = value['elements'] as (Node | null)[];
      for (const [at, part] of (target['elements'] as (Node | null)[]).entries())
        if (part) declare(part, values[at] ?? null);
    };
    const check = (node: Node): void => {
      if (!operators.has(String(node['operator']))) return;
      if ([node['left'], node['right']].some((side) => holdsDate(side as Node)))
        context.report({ node, message: ELAPSED });
    };
    const enter = (node: Node): void => {
      if (!isFunction(node)) return;
      scopes.push(new Map());
      for (const parameter of node['params'] as Node[]) {
        if (parameter.type === 'AssignmentPattern') declare(parameter['left'] as Node, parameter['right'] as Node);
        else declare(parameter, null);
      }
    };
    const leave = (node: Node): void => void (isFunction(node) && scopes.pop());
    return {
      VariableDeclarator: (node: Node): void => declare(node['id'] as Node, node['init'] as Node | null),
      BinaryExpression: check,
      AssignmentExpression: check,
      FunctionDeclaration: enter,
      'FunctionDeclaration:exit': leave,
      FunctionExpression: enter,
      'FunctionExpression:exit': leave,
      ArrowFunctionExpression: enter,
      'ArrowFunctionExpression:exit': leave,
    };
  },
};
