import { type Operation, type OperationName, operationNames, operations } from '@parley/protocol';
import { createWorld, ManualClock, type World } from '@parley/testing';
import { lightFetch } from '@parley/testing/world/light-fetch.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frame, opcode, RawSocket } from '../helpers/raw-socket.ts';

const LOW = { BURST: '3', PER_S: '1' };
const perSecond = ['MESSAGES', 'WRITES', 'USER_TOKENS', 'UPLOADS', 'PREVIEWS', 'REFUSALS'];
const perMinute = ['JOINS', 'ADDRESS_JOINS', 'PROFILES', 'MODELS', 'WEBHOOKS', 'SIGN_INS', 'PASSWORDS'];
const lowRates = Object.fromEntries([
  ...perSecond.flatMap((name) => Object.entries(LOW).map(([what, value]) => [`RATE_${name}_${what}`, value])),
  ...perMinute.map((name) => [`RATE_${name}_PER_MINUTE`, '3']),
]);
/** More calls than any of these rates admits at once. */
const MANY = 8;

/** JSON with 40,000 values, in fewer bytes than a body may have. */
const MANY_VALUES = `{"more":[${'1,'.repeat(39_999)}1]}`;

async function post(world: World, path: string, token: string, body: string, type = 'application/json') {
  const { status } = await lightFetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${token}` },
    body,
  });
  return status;
}

/** The distinct answers of calls that are made until one is `last`, at most `most` times. */
async function answersUntil<Answer>(last: Answer, most: number, call: () => Promise<Answer>): Promise<Set<Answer>> {
  const answers = new Set<Answer>();
  for (let times = 0; times < most && !answers.has(last); times += 1) answers.add(await call());
  return answers;
}

async function openSocket(world: World, token: string) {
  const socket = await RawSocket.open(world.url, { token });
  let calls = 0;
  return {
    socket,
    /** Sends a request, and returns the code of its refusal. */
    async call(method: string, params: string): Promise<string | undefined> {
      const id = `call ${(calls += 1)}`;
      socket.write(frame(opcode.text, `{"id":"${id}","method":"${method}","params":${params}}`));
      const { error } = (await socket.reply(id)) as { error?: { code: string } }; // the form of every reply
      return error?.code;
    },
  };
}

/** A body whose fields the operation refuses; null if it has no field. */
function badFieldsOf(name: OperationName): string | null {
  const { input }: Operation = operations[name];
  const fields = Object.keys('shape' in input ? (input.shape as object) : {}); // the fields of an object schema
  for (const value of [[[7]], { deep: [7] }, 7])
    for (const field of fields)
      if (!input.safeParse({ [field]: value }).success) return JSON.stringify({ [field]: value });
  return null;
}

describe('the shape of calls', () => {
  let world: World;
  let people = 0;
  beforeAll(async () => {
    // The clock stands still, so no bucket fills again.
    world = await createWorld({ clock: new ManualClock(), env: { RATE_LIMITS: '1', ...lowRates } });
    world.stayOnFirst();
  });
  afterAll(() => world.close());
  /** Each case has its own caller, whose rates are unused. */
  const newToken = async () => (await world.person(`caller${(people += 1)}`)).token;

  test.each(operationNames)('LIMIT-28: calls of %s whose body has no shape are 429 at some point', async (name) => {
    for (const [body, type] of [
      ['[]', 'application/json'],
      ['{', 'application/json'],
      ['x', 'text/plain'],
    ] as const) {
      const token = await newToken();
      const call = () => post(world, `/api/${name}`, token, body, type);
      expect([body, ...(await answersUntil(429, MANY, call))]).toContain(429);
    }
  });

  test.each(operationNames)(
    'LIMIT-28: calls of %s with bad fields are 429 at some point, over HTTP and a socket',
    async (name) => {
      const bad = badFieldsOf(name);
      if (bad === null) return;
      const token = await newToken();
      if (name !== 'uploadFile')
        expect([...(await answersUntil(429, MANY, () => post(world, `/api/${name}`, token, bad)))]).toContain(429);
      const { socket, call } = await openSocket(world, await newToken());
      expect([...(await answersUntil('rate_limited', MANY, () => call(name, bad)))]).toContain('rate_limited');
      socket.end();
    },
  );
});

describe('what arrives', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ clock: new ManualClock(), env: { RATE_LIMITS: '1' } });
    world.stayOnFirst();
  });
  afterAll(() => world.close());

  test('LIMIT-28: JSON of very many values is 429 before it is parsed, whatever is called, for the owner and its bots', async () => {
    const alice = await world.person('alice');
    const bot = await world.bot(alice);
    const bob = await world.person('bob');
    const paths = ['/api/getMe', '/api/sendMessage', '/api/getUpdates'];
    let calls = 0;
    const call = () => post(world, paths[(calls += 1) % paths.length] ?? '', alice.token, MANY_VALUES);
    expect([...(await answersUntil(429, 20, call))]).toContain(429);
    // 500,000 values, of which these calls have 40,000 each and some.
    expect(calls).toBe(13);
    // Not even looked at: this would be 400.
    expect(await post(world, '/api/getMe', alice.token, `${MANY_VALUES}{`)).toBe(429);
    expect(await post(world, '/api/getMe', bot.token, MANY_VALUES)).toBe(429);
    expect(await post(world, '/api/getMe', bob.token, MANY_VALUES)).toBe(200);
    // Usual calls are not refused: neither reads nor writes.
    expect(await post(world, '/api/getMe', alice.token, '{}')).toBe(200);
    await alice.api.updateProfile({ bio: 'here' });
    const { socket, call: request } = await openSocket(world, alice.token);
    expect(await request('getMe', MANY_VALUES)).toBe('rate_limited');
    expect(await request('getMe', '{}')).toBeUndefined();
    socket.end();
  });

  test(
    'LIMIT-28: unknown operations, wrong methods and frames that are no requests are 429 at some point',
    { tags: ['long'] },
    async () => {
      const [alice, bob, carol] = [await world.person('ann'), await world.person('ben'), await world.person('cem')];
      expect([...(await answersUntil(429, 1_100, () => post(world, '/api/nothing', alice.token, '{}')))]).toEqual([
        404, 429,
      ]);
      const get = async () => {
        const { status } = await fetch(`${world.url}/api/getMe`, { headers: { authorization: `Bearer ${bob.token}` } });
        return status;
      };
      expect([...(await answersUntil(429, 1_100, get))]).toEqual([405, 429]);
      const { socket, call } = await openSocket(world, carol.token);
      expect([...(await answersUntil<string | undefined>('rate_limited', 1_100, () => call('nothing', '{}')))]).toEqual(
        ['not_found', 'rate_limited'],
      );
      socket.write(frame(opcode.text, '[]'));
      socket.write(frame(opcode.text, '{"id":"last","method":"getMe"}'));
      expect(await socket.reply('last')).toMatchObject({ ok: true });
      expect(socket.texts.map((text) => JSON.parse(text))).toContainEqual(
        expect.objectContaining({ ok: false, error: expect.objectContaining({ code: 'rate_limited' }) }),
      );
      socket.end();
    },
  );

  test('LIMIT-28: an upload counts before its body is read, whatever the body is', async () => {
    const dora = await world.person('dora');
    const call = () => post(world, '/api/uploadFile', dora.token, 'no form', 'multipart/form-data; boundary=x');
    expect([...(await answersUntil(429, 100, call))]).toEqual([400, 429]);
  });

  test('LIMIT-28: a post to a webhook counts, whatever its body is', async () => {
    const owner = await world.person('owen');
    const { id: chat_id } = await owner.api.startChat({ usernames: [], title: 'alerts' });
    const { url } = await owner.api.createWebhook({ chat_id });
    const path = new URL(url, world.url).pathname;
    expect([...(await answersUntil(429, 100, () => post(world, path, 'none', '[]')))]).toEqual([400, 429]);
  });
});
