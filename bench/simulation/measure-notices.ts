// Measures what carrying notices between nodes costs, the constants of bench/simulation: node bench/simulation/measure-notices.ts
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createClient } from 'redis';
import { decodePayload, encodePayload } from '@parley/server/log/batch-payload.ts';
import { NumberLine } from '@parley/server/log/engines/number-line.ts';
import { systemClock } from '@parley/server/core/clock.ts';
import { startRedis } from '@parley/testing/servers/redis-server.ts';

const BATCHES = 40_000;
/** Bytes of the notices that are compared: a line that names a batch, and a whole message. */
const sizes = { line: 90, message: 1_500 };
const listeners = [1, 10, 100];
/** Channels per subscriber, and the number of subscribers that listen to the same channels. */
const CHANNELS = 50_000;
const SHARING = 4;

async function openRedis() {
  const server = await startRedis();
  const commands = createClient({ url: server.url });
  await commands.connect();
  return { server, commands };
}
type Redis = Awaited<ReturnType<typeof openRedis>>;

async function info({ commands }: Redis, section: 'cpu' | 'memory', field: string): Promise<number> {
  const text = await commands.info(section);
  return Number(new RegExp(`^${field}:([\\d.]+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}
const redisCpu = async (redis: Redis): Promise<number> =>
  (await info(redis, 'cpu', 'used_cpu_user')) + (await info(redis, 'cpu', 'used_cpu_sys'));

const redis = await openRedis();
const { server, commands } = redis;

/** Publishes inside Redis, so that no client pays for it. */
const publish = `for at = 1, tonumber(ARGV[2]) do redis.call('PUBLISH', KEYS[1], ARGV[1]) end`;
async function publishAll(channel: string, text: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1_000)
    await commands.sendCommand(['EVAL', publish, '1', channel, text, String(Math.min(1_000, left))]);
}

async function rawSubscriber({ server }: Redis, words: readonly string[]): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  // The server may end first.
  socket.on('error', () => {});
  socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
  socket.resume();
  return socket;
}

const microseconds = (seconds: number, count: number): string => `${((1e6 * seconds) / count).toFixed(2)} µs`;

for (const [name, bytes] of Object.entries(sizes)) {
  const text = 'x'.repeat(bytes);
  for (const count of listeners) {
    const sockets = await Promise.all(
      Array.from({ length: count }, () => rawSubscriber(redis, ['SUBSCRIBE', 'carried'])),
    );
    await commands.ping();
    const published = Math.ceil(BATCHES / count);
    const from = await redisCpu(redis);
    await publishAll('carried', text, published);
    const each = (await redisCpu(redis)) - from;
    console.log(
      `Redis, ${name} of ${bytes} bytes to ${count}: ${microseconds(each, published)} a publication, ` +
        `${microseconds(each, published * count)} a delivery`,
    );
    for (const socket of sockets) socket.destroy();
  }
  const subscriber = createClient({ url: server.url });
  await subscriber.connect();
  let heard = 0;
  const all = Promise.withResolvers<undefined>();
  await subscriber.subscribe('heard', () => (heard += 1) === BATCHES && all.resolve(undefined), true);
  const own = process.cpuUsage();
  await publishAll('heard', text, BATCHES);
  await all.promise;
  const { user, system } = process.cpuUsage(own);
  console.log(`node, ${name} of ${bytes} bytes heard: ${microseconds((user + system) / 1e6, BATCHES)}`);
  subscriber.destroy();
}

/** Two notices as nodes receive them: one contains a message, the other only names the scopes of its batch. */
const notices = {
  message: (seq: number) => {
    const params = JSON.stringify({
      id: 'x'.repeat(36),
      content: 'y'.repeat(900),
      sender: { username: 'z'.repeat(200) },
    });
    return encodePayload({ node: 1, first: seq, last: seq, told: [{ seq, scope: 2, kind: 'messageNew', params }] });
  },
  line: (seq: number) => JSON.stringify({ node: 1, first: seq, last: seq, scopes: [2 * seq, 1, 2 * seq + 1, 1] }),
};
for (const [name, notice] of Object.entries(notices)) {
  const texts = Array.from({ length: BATCHES }, (_, at) => Buffer.from(notice(at + 1)));
  let applied = 0;
  const fill = async (): Promise<number> => 0;
  const line = new NumberLine(0, { clock: systemClock, patienceMs: 100, fill, onFault: console.error });
  const own = process.cpuUsage();
  for (const bytes of texts) {
    const { first, last } = decodePayload(bytes.toString());
    line.offer({ first, last, isOwn: false, apply: () => void (applied += 1), passed: () => {} });
  }
  const { user, system } = process.cpuUsage(own);
  console.log(`node, ${name} decoded and put in order: ${microseconds((user + system) / 1e6, applied)}`);
  line.close();
}

commands.destroy();
await server[Symbol.asyncDispose]();

for (const word of ['SUBSCRIBE', 'SSUBSCRIBE']) {
  // A new server: after freeing much memory a server reports more than it uses.
  const own = await openRedis();
  const [memory, cpu] = [await info(own, 'memory', 'used_memory'), await redisCpu(own)];
  const name = (channel: number): string => `parley:${'0'.repeat(36)}:s${channel}`;
  for (let at = 0; at < SHARING; at += 1) {
    const names = Array.from({ length: CHANNELS }, (_, channel) => name(channel));
    await rawSubscriber(own, [word, ...names]);
  }
  const kind = word === 'SUBSCRIBE' ? 'NUMSUB' : 'SHARDNUMSUB';
  for (let answer: unknown[] = []; Number(answer[1]) !== SHARING;)
    answer = (await own.commands.sendCommand(['PUBSUB', kind, name(CHANNELS - 1)])) as unknown[]; // a name and a number
  const total = SHARING * CHANNELS;
  const bytes = ((await info(own, 'memory', 'used_memory')) - memory) / total;
  console.log(
    `Redis, ${word}: ${microseconds((await redisCpu(own)) - cpu, total)} and ${bytes.toFixed(0)} bytes ` +
      `a subscription, ${SHARING} nodes on each channel`,
  );
  own.commands.destroy();
  await own.server[Symbol.asyncDispose]();
}
