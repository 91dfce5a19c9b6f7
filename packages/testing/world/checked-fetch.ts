import { type Operation, type OperationName, operations } from '@parley/protocol';
import { lightFetch } from './light-fetch.ts';

interface Watch {
  /** Each request opens its own connection, so that a balancer sends them to the nodes in turn. */
  isAlone?: boolean;
  /** Called with each violation. */
  onProblem: (text: string) => void;
  /** Its return value is passed to `onText` with the reply. */
  onBegin?: () => number | undefined;
  /** Called with the text of every reply. */
  onText?: (text: string, begunAt: number | undefined) => void;
  onResult?: (name: OperationName, result: unknown) => void;
}

/** A fetch that validates every result against its operation's declaration. */
export function checkedFetch({ isAlone = false, onProblem, onBegin, onText, onResult }: Watch): typeof fetch {
  return async (input, init) => {
    const begunAt = onBegin?.();
    const response = await lightFetch(input, isAlone ? alone(init) : init);
    const text = await response.text();
    onText?.(text, begunAt);
    const name = /\/api\/(\w+)$/.exec(typeof input === 'string' ? input : '')?.[1] ?? '';
    if (response.ok && Object.hasOwn(operations, name)) {
      const operation = name as OperationName; // it is a key of `operations`
      const reply = JSON.parse(text) as { result?: unknown };
      const problem = problemOf(operation, reply);
      if (problem === undefined) onResult?.(operation, reply.result);
      else onProblem(`${name} answered ${text.slice(0, 400)}: ${problem}`);
    }
    return new Response(text, response);
  };
}

function alone(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  return { ...init, headers };
}

function problemOf(name: OperationName, reply: { result?: unknown }): string | undefined {
  const { result }: Operation = operations[name];
  if (result === null) return 'result' in reply ? 'the operation declares no result' : undefined;
  return result.safeParse(reply.result).error?.message;
}
