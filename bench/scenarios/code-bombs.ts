import { startFakeProviders } from '@parley/testing/providers/fake-providers.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { textAt } from '../service/reply-fields.ts';
import { devToken } from '../service/running-service.ts';
import { difference } from '../statistics.ts';
import { wholeFrameBytes } from './latency.ts';
import { serviceRoom } from './room.ts';
import { coresText } from './rounds.ts';

const readers = 20;
const messagesPerSecond = 100;
const contentBytes = 200;
/** Code that does not end by itself, each kind in turn. */
const bombs = [
  'for (;;);',
  'const all = []; for (;;) { try { all.push(new Uint8Array(1e6)); } catch {} }',
  'const again = () => Promise.resolve().then(again); again(); await new Promise(() => {});',
  'return /^(a+)+$/.test("a".repeat(60) + "b");',
  'for (;;) console.log("x".repeat(1000));',
];
const people = 20;

export const codeBombs: Scenario = {
  key: 'code_bombs',
  title: `${people} people whose agents run code that never ends, alongside a group with ${messagesPerSecond} messages/s`,
  async run(bench) {
    const models = await startFakeProviders();
    try {
      const generator = bench.generator();
      const service = await bench.freshService({ env: { ...models.env, DEV_TOKENS: '1' } });
      const room = await serviceRoom(service, generator, readers, wholeFrameBytes);
      const paced = (seconds: number) =>
        generator.run('paced', {
          group: room.group,
          conversationId: room.conversationId,
          messagesPerSecond,
          contentBytes,
          warmUpSeconds: 2,
          seconds,
          serverPid: room.pid,
        });
      const before = await paced(bench.choose(10, 3));
      for (const [at, name] of (await service.people(people, 'bomber')).entries()) {
        const token = devToken(name);
        const username = `${name}:provider_a`;
        const code = bombs[at % bombs.length];
        // It goes on as long as it may: 25 calls.
        models.script(name, { chunks: [{ call: 'run_code', input: { code } }], finish: 'tool_use' });
        await service.call('setAgentKey', token, { provider: 'provider_a', api_key: name });
        await service.call('updateAgent', token, { username, built_in_tools: ['run_code'] });
        const chat_id = textAt(await service.call('startChat', token, { username }), 'id');
        await service.call('sendMessage', token, { chat_id, text: 'Go' });
      }
      const beside = await paced(bench.choose(30, 12));
      const missing = beside.expected - beside.delivered;
      bench.note(`without them: p99 ${before.p99Ms?.toFixed(2)} ms; ${coresText(before.cores, 'service')}`);
      bench.note(
        `beside them: p99 ${beside.p99Ms?.toFixed(2)} ms, max ${beside.maxMs?.toFixed(1)} ms, ` +
          `${missing === 0 ? 'all delivered' : `${missing} NOT delivered`}; ${coresText(beside.cores, 'service')}`,
      );
      return {
        figures: { p99_ms: rounded(beside.p99Ms, 3), baseline_p99_ms: rounded(before.p99Ms, 3) },
        lines: [
          { figure: 'p99 of delivery, without them', value: before.p99Ms, unit: 'ms' },
          { figure: 'p99 of delivery, beside them', value: beside.p99Ms, unit: 'ms', target: { atMost: 20 } },
          { figure: 'beside - without', value: difference(beside.p99Ms, before.p99Ms), unit: 'ms' },
        ],
      };
    } finally {
      await models.close();
    }
  },
};
