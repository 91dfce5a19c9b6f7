import {
  startFakeProviders,
  type FakeProviders,
  type RecordedRequest,
} from '@parley/testing/providers/fake-providers.ts';
import { type FakeToolServer, startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import type { Bench } from '../bench.ts';
import { cpuSecondsOf } from '../processes/process-status.ts';
import type { Line, Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { textAt } from '../service/reply-fields.ts';
import { devToken, type RunningService } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { difference, median, ratio } from '../statistics.ts';

/** What a call of a tool may add to a turn, beside the time that the tool itself takes. */
const MOST_ADDED_MS = 10;
const REPLY = ['That ', 'is ', 'all ', 'that ', 'I ', 'know.'];

const PLAIN = 'm0';
const CALLING = 'm1';

/** A person in a direct chat with an agent, and a socket that sees its replies. */
class Asker {
  readonly #service: RunningService;
  readonly #name: string;
  readonly #chatId: string;
  #ended: (agent: string) => void = () => {};

  private constructor(service: RunningService, name: string, chatId: string) {
    this.#service = service;
    this.#name = name;
    this.#chatId = chatId;
  }

  static async start(service: RunningService, name: string): Promise<Asker> {
    const token = devToken(name);
    const agent = `${name}:provider_a`;
    await service.call('setAgentKey', token, { provider: 'provider_a', api_key: name });
    const asker = new Asker(service, name, textAt(await service.call('startChat', token, { username: agent }), 'id'));
    const socket = new WebSocket(service.url.replace('http', 'ws') + socketPath(token));
    socket.addEventListener('message', ({ data }) => {
      if (String(data).includes('"events.messageComplete"')) asker.#ended(agent);
    });
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    return asker;
  }

  /** Asks, and waits for the whole reply; returns the milliseconds. */
  async turn(): Promise<number> {
    const ended = new Promise<unknown>((resolve) => (this.#ended = resolve));
    const startMs = performance.now();
    await this.#service.call('sendMessage', devToken(this.#name), { chat_id: this.#chatId, text: 'What is it?' });
    await ended;
    return performance.now() - startMs;
  }
}

/** The first request of a turn calls the tool, the next one has its result. */
function callingModel({ body }: RecordedRequest) {
  const { messages = [] } = body as { messages?: { content: unknown }[] }; // the vendor's request
  const hasResult = JSON.stringify(messages.at(-1)).includes('"tool_result"');
  return hasResult ? { chunks: REPLY } : { chunks: [{ call: 'bank_peek', input: {} }], finish: 'tool_use' };
}

interface Side {
  plain: Asker;
  calling: Asker | undefined;
  pid: number;
}

/** `hasTools`: the build knows servers of tools. */
async function side(service: RunningService, server: FakeToolServer, hasTools: boolean): Promise<Side> {
  await service.people(2);
  const plain = await Asker.start(service, PLAIN);
  if (!hasTools) return { plain, calling: undefined, pid: service.child.pid };
  const calling = await Asker.start(service, CALLING);
  const given = { name: 'bank', url: server.url, identity: 'none', auth: 'none', approval: 'never' };
  const servers = [{ ...given, tools: [{ name: 'peek', writes: false }] }];
  await service.call('setAgentTools', devToken(CALLING), { username: `${CALLING}:provider_a`, servers });
  return { plain, calling, pid: service.child.pid };
}

/** Milliseconds of processor time of the service for each of these turns. */
async function costOf(pid: number, turns: number, turn: () => Promise<number>): Promise<number | undefined> {
  const before = cpuSecondsOf(pid);
  for (let at = 0; at < turns; at += 1) await turn();
  const after = difference(cpuSecondsOf(pid), before);
  return after === undefined ? undefined : (1_000 * after) / turns;
}

async function measure(bench: Bench, providers: FakeProviders, server: FakeToolServer) {
  const env = { ...providers.env, DEV_TOKENS: '1', TOOL_ENDPOINTS: `public,${server.origin}` };
  const ours = await side(await bench.freshService({ env }), server, true);
  const older = bench.isAgainst ? await side(await bench.olderService({ env }), server, false) : undefined;
  const turns = bench.choose(60, 10);
  const [plain, calling, before]: number[][] = [[], [], []];
  for (let at = -5; at < turns; at += 1) {
    const [one, two, three] = [await ours.plain.turn(), await ours.calling?.turn(), await older?.plain.turn()];
    // The first ones load what a turn needs.
    if (at < 0) continue;
    plain?.push(one);
    if (two !== undefined) calling?.push(two);
    if (three !== undefined) before?.push(three);
  }
  const [costs, callCosts, olderCosts]: number[][] = [[], [], []];
  for (let round = 0; round < bench.choose(8, 1); round += 1) {
    const cost = await costOf(ours.pid, turns / 2, () => ours.plain.turn());
    const callCost = ours.calling && (await costOf(ours.pid, turns / 2, async () => (await ours.calling?.turn()) ?? 0));
    const olderCost = older && (await costOf(older.pid, turns / 2, () => older.plain.turn()));
    if (cost !== undefined) costs?.push(cost);
    if (callCost !== undefined) callCosts?.push(callCost);
    if (olderCost !== undefined) olderCosts?.push(olderCost);
  }
  const added = calling?.map((ms, at) => ms - (plain?.[at] ?? ms)) ?? [];
  return {
    plain: median(plain ?? []),
    calling: median(calling ?? []),
    added: median(added),
    before: median(before ?? []),
    cpu: median(costs ?? []),
    callCpu: median(callCosts ?? []),
    olderCpu: median(olderCosts ?? []),
  };
}

/** A turn without tools, the same turn with one call, in turn; with an older build also the first one there. */
export const firstTurns: Scenario = {
  key: 'first_turns',
  title: 'turns of an agent, without and with one call of a tool; the model and the tool answer at once',
  async run(bench) {
    const providers = await startFakeProviders();
    const server = await startToolServer({ peek: { annotations: { openWorldHint: false } } });
    try {
      providers.script(PLAIN, { chunks: REPLY });
      providers.script(CALLING, callingModel);
      const { plain, calling, added, before, cpu, callCpu, olderCpu } = await bench.alone((alone) =>
        measure(alone, providers, server),
      );
      const lines: Line[] = [
        { figure: 'a turn without tools', value: plain, unit: 'ms' },
        { figure: 'a turn with one call', value: calling, unit: 'ms' },
        { figure: 'what the call adds', value: added, unit: 'ms', target: { atMost: MOST_ADDED_MS } },
        { figure: 'a turn without tools', value: cpu, unit: 'ms of processor time' },
        { figure: 'a turn with one call', value: callCpu, unit: 'ms of processor time' },
      ];
      if (bench.isAgainst)
        lines.push(
          { figure: 'a turn, older build', value: before, unit: 'ms' },
          { figure: 'a turn, older build', value: olderCpu, unit: 'ms of processor time' },
          { figure: 'a turn without tools / older build', value: ratio(plain, before), unit: '×' },
          { figure: 'its processor time / older build', value: ratio(cpu, olderCpu), unit: '×' },
        );
      const figures = {
        turn_ms: rounded(plain, 2),
        call_turn_ms: rounded(calling, 2),
        call_adds_ms: rounded(added, 2),
        turn_cpu_ms: rounded(cpu, 2),
        call_turn_cpu_ms: rounded(callCpu, 2),
        older_turn_ms: rounded(before, 2),
        older_turn_cpu_ms: rounded(olderCpu, 2),
      };
      return { figures, lines };
    } finally {
      await server[Symbol.asyncDispose]();
      await providers.close();
    }
  },
};
