import {
  type ErrorCode,
  errorStatus,
  limits,
  type Operation,
  type OperationName,
  operationNames,
  operations,
} from '@parley/protocol';
import { createWorld, type World } from '@parley/testing';
import { lightFetch } from '@parley/testing/world/light-fetch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { badBodies, badValues, fieldsOf, type Path, toJson, withValue } from './bad-values.ts';
import { directScenes, everyOperation, overSockets, type Role, type Scene } from '../helpers/every-operation.ts';
import { LoopWatch } from '../helpers/held-loop.ts';
import { exchange, HOST, JSON_TYPE, size, withHead } from '../helpers/raw-http.ts';
import { frame, opcode, RawSocket } from '../helpers/raw-socket.ts';

interface Answer {
  code: ErrorCode | 'ok';
  description: string;
  field: unknown;
}

let world: World;
let nextScene: () => Promise<Scene>;
let cases = 0;
let operationsTried = 0;
const loop = new LoopWatch();

/** Number of operations that are tried in one world: each makes bots, and a person has at most 500. */
const OPERATIONS_IN_A_WORLD = 100;

async function openWorld(): Promise<void> {
  world = await createWorld();
  nextScene = await directScenes(world);
}
beforeAll(openWorld);
afterAll(async () => {
  // close() also fails if the service has logged an error.
  await world.close();
  process.stdout.write(
    `the longest block of the event loop was ${Math.round(loop.slowest.ms)} ms: ${loop.slowest.what}\n`,
  );
  // Guard against a generator that makes too few cases.
  expect(cases).toBeGreaterThanOrEqual(30 * operationsTried);
});

const codes = new Set<string>(Object.keys(errorStatus));

function answerOf(code: unknown, description: unknown, parameters: unknown): Answer {
  // No `internal`, and no stack, path or SQL in the text.
  expect(codes).toContain(code);
  expect(['internal', 'unavailable']).not.toContain(code);
  expect(description).toMatch(/^[^\n]{1,400}$/);
  expect(description).not.toMatch(/sqlite|select |insert |update |\.ts\b|node:|undefined is not/i);
  // The casts were checked above.
  return {
    code: code as ErrorCode,
    description: String(description),
    field: (parameters as { field?: unknown })?.field,
  };
}

async function overHttp(name: OperationName, token: string, json: string): Promise<Answer> {
  cases += 1;
  const { response, text } = await loop.over(`${name} by HTTP with ${json.slice(0, 300)}`, async () => {
    const reply = await lightFetch(`${world.url}/api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
      body: json,
    });
    return { response: reply, text: await reply.text() };
  });
  const body = JSON.parse(text);
  if (response.ok) return { code: 'ok', description: '', field: undefined };
  expect(body.ok).toBe(false);
  expect(response.status).toBe(errorStatus[body.error_code as ErrorCode]); // answerOf checks that it is a known code
  return answerOf(body.error_code, body.description, body.parameters);
}

async function overSocket(socket: RawSocket, name: OperationName, json: string): Promise<Answer> {
  const { ok, error } = (await loop.over(`${name} by a socket with ${json.slice(0, 300)}`, () => {
    cases += 1;
    const id = `case ${cases}`;
    socket.write(frame(opcode.text, `{"id":"${id}","method":"${name}","params":${json}}`));
    return socket.reply(id);
  })) as { ok: boolean; error?: Record<string, unknown> }; // the form of every reply
  return ok
    ? { code: 'ok', description: '', field: undefined }
    : answerOf(error?.['code'], error?.['message'], error?.['parameters']);
}

/** True if a refusal names the wrong field, or a field inside it. */
const isWithin = (field: unknown, path: Path): boolean =>
  typeof field === 'string' && (field === path.join('.') || field.startsWith(`${path.join('.')}.`));

// file-uploads.test.ts covers the operation that takes a file.
const takingJson = operationNames.filter(overSockets);

const anyInput =
  'ERR-3, ERR-4, ERR-8, ERR-12, TRANS-11: %s answers any input with a known code, the same over HTTP and a socket';
const sample: readonly OperationName[] = ['sendMessage', 'getUsers'];
const others = takingJson.filter((name) => !sample.includes(name));

test.each(sample)(anyInput, { timeout: 120_000 }, answersAnyInput);
test.each(others)(anyInput, { timeout: 120_000, tags: ['long'] }, answersAnyInput);

async function answersAnyInput(name: OperationName): Promise<void> {
  operationsTried += 1;
  if (operationsTried % OPERATIONS_IN_A_WORLD === 0) {
    await world.close();
    await openWorld();
  }
  const { input, policy }: Operation = operations[name];
  const isOpen = policy.open === true;
  const { params, allowed } = everyOperation[name];
  const scene = await nextScene();
  const { token } = scene.actors[allowed[0] ?? 'owner'];
  const socket = await RawSocket.open(world.url, { token });
  const refusals = new Set<ErrorCode | 'ok'>(['invalid_argument', 'too_large']);

  const both = async (json: string): Promise<Answer> => {
    const answer = await overHttp(name, token, json);
    // A socket has authenticated, so its messages may be larger than an open call's body (LIMIT-20).
    if (isOpen && Buffer.byteLength(json) > limits.openBodyBytes) {
      expect(answer.code).toBe('too_large');
      return overSocket(socket, name, json);
    }
    if (refusals.has(answer.code) && json.startsWith('{')) expect(await overSocket(socket, name, json)).toEqual(answer);
    return answer;
  };

  for (const field of fieldsOf(input))
    for (const { value, mustFail } of badValues(field)) {
      const json = toJson(withValue(input, params(scene), field.path, value));
      const answer = await both(json);
      if (mustFail)
        expect({ json: json.slice(0, 300), code: answer.code, isNamed: isWithin(answer.field, field.path) }).toEqual({
          json: json.slice(0, 300),
          code: 'invalid_argument',
          isNamed: true,
        });
    }
  for (const body of badBodies) {
    const json = toJson(body);
    const isRefusedByLength = isOpen && Buffer.byteLength(json) > limits.openBodyBytes;
    const answer = isRefusedByLength ? await overHttp(name, token, json) : await both(json);
    if (isRefusedByLength) {
      expect(answer.code).toBe('too_large');
      continue;
    }
    expect(answer).toMatchObject({ code: 'invalid_argument', field: 'body' });
  }
  // Unknown fields are ignored, whatever their names.
  const odd = '"__proto__":{"caller":1},"constructor":{},"toString":1,"caller":{"key":1},"":0,"more":[[[]]]';
  const [plain, more] = [await nextScene(), await nextScene()].map((fresh) => ({
    token: fresh.actors[allowed[0] ?? 'owner'].token,
    json: toJson(params(fresh)),
  }));
  if (!plain || !more) throw new Error('two scenes were asked for');
  const withOdd = more.json.replace(/\}$/, `${more.json === '{}' ? '' : ','}${odd}}`);
  const [one, other] = [await overHttp(name, plain.token, plain.json), await overHttp(name, more.token, withOdd)];
  expect(other.code).toBe(one.code);
  socket.end();
}

const field = (at: number, value: object) => ({ key: `f${at}`, label: 'F', type: 'string', ...value });
const fields = (count: number, value: object) => Array.from({ length: count }, (_, at) => field(at, value));
const FOUR_KIB = 'x'.repeat(4_096);
const LONG = 100_000;
const form = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`n${at}`, at]));
const names = (count: number, one: (at: number) => string) => Array.from({ length: count }, (_, at) => one(at));
const inChat = ({ chatId: chat_id }: Scene, more: object) => ({ chat_id, ...more });

test.each<[what: string, by: Role, name: OperationName, params: (scene: Scene) => object, code: ErrorCode | 'ok']>([
  [
    'the maximum number of fields, with defaults of 4 KiB',
    'keeper',
    'createBot',
    () => ({ slug: 'wide', display_name: 'W', config_schema: fields(50, { default: FOUR_KIB }) }),
    'ok',
  ],
  [
    '100 fields with defaults of 4 KiB',
    'keeper',
    'createBot',
    () => ({ slug: 'wider', display_name: 'W', config_schema: fields(100, { default: FOUR_KIB }) }),
    'invalid_argument',
  ],
  ['a form of 4,000 numbers', 'member', 'sendComponentAction', (scene) => pressed(scene, form), 'ok'],
  ['the maximum number of names', 'member', 'getUsers', () => ({ usernames: names(200, (at) => `n${at}`) }), 'ok'],
  [
    '999 unknown people',
    'member',
    'startChat',
    () => ({ usernames: names(999, (at) => `n${at}`), title: 'T' }),
    'not_found',
  ],
  ...['x', '@', '`', '*', '[', '>', '\\', '\u{1f642}', 'a@', '@a:', '{%', '](', '\n'].map(
    (unit): [string, Role, OperationName, (scene: Scene) => object, 'ok'] => [
      `${LONG} characters without a space: ${JSON.stringify(unit)}`,
      'bot',
      'sendMessage',
      (scene) => inChat(scene, { text: unit.repeat(LONG).slice(0, LONG).toWellFormed() }),
      'ok',
    ],
  ),
  [
    `a delta of ${LONG} characters`,
    'bot',
    'appendMessageStream',
    ({ streamId: message_id }) => ({ message_id, delta: 'x'.repeat(LONG), offset: LONG }),
    'ok',
  ],
  [
    `a replaced text of ${LONG} characters`,
    'bot',
    'appendMessageStream',
    ({ streamId: message_id }) => ({ message_id, text: 'y'.repeat(LONG) }),
    'ok',
  ],
  [
    `a human’s message of ${LONG} characters`,
    'member',
    'sendMessage',
    (scene) => inChat(scene, { text: 'x'.repeat(LONG) }),
    'too_large',
  ],
  [
    `a draft of ${LONG} characters`,
    'member',
    'saveDraft',
    (scene) => inChat(scene, { text: 'x'.repeat(LONG) }),
    'too_large',
  ],
])('ERR-12: %s does not block the event loop (%s, %s)', async (what, by, name, params, code) => {
  const scene = await nextScene();
  // Frames for these listeners are written in the same ticks of the event loop.
  const listeners = await Promise.all(
    ['', 'patch', 'focus', 'nodrafts'].map((caps) => scene.actors.admin.socket(caps)),
  );
  const json = toJson(params(scene));
  const { token } = scene.actors[by];
  expect({ what, code: (await overHttp(name, token, json)).code }).toEqual({ what, code });
  const socket = await RawSocket.open(world.url, { token });
  // A second bot with the same slug is refused.
  const again = name === 'createBot' && code === 'ok' ? 'conflict' : code;
  expect({ what, code: (await overSocket(socket, name, json)).code }).toEqual({ what, code: again });
  socket.end();
  await loop.over(`what follows from ${name}: ${what}`, () => world.settle());
  await Promise.all(listeners.map((listener) => listener.close()));
});

const pressed = ({ chatId: chat_id, componentId: message_id }: Scene, values: object) => ({
  chat_id,
  message_id,
  action: 'form_submit:it',
  fields: values,
});

test(
  'ERR-12, MENTION-12: a message that mentions everyone in a group of 1,000 does not block the event loop',
  { tags: ['long'] },
  async () => {
    const owner = await world.person('the_owner');
    const usernames = names(limits.groupMembers - 1, (at) => `person${at}`);
    await Promise.all(usernames.map((username) => world.person(username)));
    const { id: chat_id } = await loop.over('a group of 1,000', () => owner.api.startChat({ usernames, title: 'All' }));
    const json = toJson({ chat_id, text: usernames.map((username) => `@${username}`).join() });
    expect(await overHttp('sendMessage', owner.token, json)).toMatchObject({ code: 'ok' });
    const { items } = await owner.api.getChatHistory({ chat_id, limit: 1 });
    expect(items[0]?.mentions).toHaveLength(usernames.length);
  },
);

test(
  'ERR-12: reading 1,000 conversations of an account does not block the event loop',
  { timeout: 60_000, tags: ['long'] },
  async () => {
    const host = await world.person('the_host');
    const guests = names(49, (at) => `guest${at}`);
    await Promise.all(guests.map((guest) => world.person(guest)));
    for (let at = 0; at < 1_000; at += 100)
      await Promise.all(names(100, String).map((title) => host.api.startChat({ usernames: guests, title })));
    for (const [name, json] of [
      ['getUpdates', '{"since":0}'],
      ['getChats', '{"limit":200}'],
    ] as const)
      expect(await overHttp(name, host.token, json)).toMatchObject({ code: 'ok' });
  },
);

test('ERR-12: refusing bodies of 10 MB does not block the event loop', async () => {
  const { owner } = (await nextScene()).actors;
  const json = toJson({ username: 'owner', more: 'x'.repeat(10_000_000) });
  const head = `POST /api/getUser HTTP/1.1\r\n${HOST}authorization: Bearer ${owner.token}\r\n${JSON_TYPE}`;
  for (const framing of [
    `${size(json)}\r\n${json}`,
    `transfer-encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`,
  ]) {
    const bytes = withHead(head + framing);
    const reply = await loop.over(`10 MB by HTTP with ${framing.slice(0, 30)}`, () => exchange(world.nodeUrl, bytes));
    expect(reply?.status).toBe(413);
  }
  const bytes = frame(opcode.text, `{"id":1,"method":"getUser","params":${json}}`);
  const closeCode = await loop.over('10 MB by a socket', async () => {
    const socket = await RawSocket.open(world.nodeUrl, { token: owner.token });
    socket.write(bytes);
    const code = await socket.closed();
    socket.end();
    return code;
  });
  expect(closeCode).toBe(1009);
});

test('CAPS-1: an unknown cap changes nothing, whatever its name', async () => {
  const alice = await world.person('alice');
  const { id: chat_id } = await world.group(alice);
  const caps = ['__defineGetter__', '__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '', ' '];
  const sockets = await Promise.all(caps.map((cap) => alice.socket(cap)));
  await alice.api.sendMessage({ chat_id, text: 'heard by all' });
  for (const socket of sockets) await socket.event('messageNew');
});

test.each<[what: string, most: number, name: OperationName, params: (scene: Scene, at: number) => object]>([
  ['channels of a group', limits.channels, 'createChannel', ({ chatId }, at) => ({ chat_id: chatId, title: `${at}` })],
  ['bots of an account', limits.botsPerOwner, 'createBot', (_scene, at) => ({ slug: `n${at}`, display_name: `${at}` })],
])('LIMIT-4: there are %s up to %i, one more is 400', async (_what, most, name, params) => {
  await using own = await createWorld();
  const scene = await (await directScenes(own))();
  const socket = await scene.actors.owner.socket();
  // The scene may already have a channel or bot, so one or two calls exceed the maximum.
  const answers = await Promise.allSettled(
    Array.from({ length: most + 1 }, (_, at) => socket.rpc(name, params(scene, at))),
  );
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(3);
  for (const error of refused) expect(error).toMatchObject({ status: 400, code: 'invalid_argument' });
});
