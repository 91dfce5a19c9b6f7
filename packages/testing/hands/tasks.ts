// What the model of an agent does with the n-th task: steps of calls, then a last sentence. All of it follows from the
// seed and from what the request contains, so that a request which is repeated after a kill gets the same answer.
import type { RecordedRequest, ReplyScript } from '../providers/fake-providers.ts';
import { Random } from '../simulation/random.ts';

/** The arguments of a call, which say what the tool is to do. */
export interface TaskCall {
  /** Unique: what was carried out is counted by it. */
  order: string;
  /** How long the tool works before and after the moment at which it has done its work. */
  beforeMs: number;
  afterMs: number;
  fails: boolean;
}

const MAX_STEPS = 3;
const MAX_CALLS = 3;
const MAX_WORK_MS = 300;

export const taskText = (task: number): string => `task #${task}.`;
export const taskEnd = (task: number): string => `The task ${task} is done.`;

function stepsOfTask(seed: number, task: number): { tool: string; input: TaskCall }[][] {
  const random = new Random((seed % 1_000_000) * 1_009 + task);
  return Array.from({ length: 1 + random.below(MAX_STEPS) }, (_, step) =>
    Array.from({ length: 1 + random.below(MAX_CALLS) }, (__, at) => ({
      tool: random.chance(0.6) ? 'pay' : 'peek',
      input: {
        order: `${task}.${step}.${at}`,
        beforeMs: random.below(MAX_WORK_MS),
        afterMs: random.below(MAX_WORK_MS),
        fails: random.chance(0.1),
      },
    })),
  );
}

interface Block {
  type: string;
  text?: string;
  id?: string;
  input?: { order?: string };
  tool_use_id?: string;
  content?: string;
}

/** The model. It notes in `told` what it was told of each order. */
export function modelOf(seed: number, told: Map<string, string>): (request: RecordedRequest) => ReplyScript {
  return ({ body }) => {
    // The vendor's request.
    const { messages, tools } = body as { messages?: { role: string; content: string | Block[] }[]; tools?: unknown };
    let [task, step] = [0, 0];
    const orders = new Map<string | undefined, string | undefined>();
    for (const { role, content } of messages ?? []) {
      const blocks: Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      for (const { type, text = '', id, input, tool_use_id: of, content: result = '' } of blocks) {
        const found = role === 'user' && type === 'text' ? [...text.matchAll(/task #(\d+)\./g)].at(-1)?.[1] : undefined;
        if (found !== undefined) [task, step] = [Number(found), 0];
        if (type === 'tool_use') orders.set(id, input?.order);
        if (type === 'tool_result') told.set(orders.get(of) ?? '', result);
      }
      if (role === 'assistant' && blocks.some(({ type }) => type === 'tool_use')) step += 1;
    }
    const calls = stepsOfTask(seed, task)[step];
    // Its server was away when the turn began: a model calls nothing that it is not offered.
    if (!calls || tools === undefined) return { chunks: [taskEnd(task)] };
    return { chunks: calls.map(({ tool, input }) => ({ call: `bank_${tool}`, input })), finish: 'tool_use' };
  };
}
