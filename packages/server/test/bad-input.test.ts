import { type ErrorCode, errorStatus, limits, type OperationName, operationNames, operations } from '@parley/protocol';
import { createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { badBodies, badValues, fieldsOf, type Path, toJson, withValue } from './bad-values.ts';
import { directScenes, everyOperation, type Scene } from './every-operation.ts';
import { frame, opcode, RawSocket } from './raw-socket.ts';

interface Answer {
  code: ErrorCode | 'ok';
  description: string;
  field: unknown;
}

let world: World;
let nextScene: () => Promise<Scene>;
let cases = 0;

beforeAll(async () => {
  world = await createWorld();
  nextScene = await directScenes(world);
});
// An error in the log fails it too: whatever was sent, nothing went wrong inside.
afterAll(() => world.close());

const codes = new Set<string>(Object.keys(errorStatus));

function answerOf(code: unknown, description: unknown, parameters: unknown): Answer {
  // Never `internal`, never a stack, a path or SQL.
  expect(codes).toContain(code);
  expect(['internal', 'unavailable']).not.toContain(code);
  expect(description).toMatch(/^[^\n]{1,400}$/);
  expect(description).not.toMatch(/sqlite|select |insert |update |\.ts\b|node:|undefined is not/i);
  // A code of the table, and a text: just checked.
  return {
    code: code as ErrorCode,
    description: String(description),
    field: (parameters as { field?: unknown })?.field,
  };
}

async function overHttp(name: OperationName, token: string, json: string): Promise<Answer> {
  cases += 1;
  const response = await fetch(`${world.url}/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    body: json,
  });
  const body = JSON.parse(await response.text());
  if (response.ok) return { code: 'ok', description: '', field: undefined };
  expect(body.ok).toBe(false);
  expect(response.status).toBe(errorStatus[body.error_code as ErrorCode]); // one of the table, as answerOf sees to
  return answerOf(body.error_code, body.description, body.parameters);
}

async function overSocket(socket: RawSocket, name: OperationName, json: string): Promise<Answer> {
  cases += 1;
  const id = `case ${cases}`;
  socket.write(frame(opcode.text, `{"id":"${id}","method":"${name}","params":${json}}`));
  const { ok, error } = (await socket.reply(id)) as { ok: boolean; error?: Record<string, unknown> }; // a reply's form
  return ok
    ? { code: 'ok', description: '', field: undefined }
    : answerOf(error?.['code'], error?.['message'], error?.['parameters']);
}

/** The field that a refusal names: the one that was wrong, or one within it. */
const isWithin = (field: unknown, path: Path): boolean =>
  typeof field === 'string' && (field === path.join('.') || field.startsWith(`${path.join('.')}.`));

test.each(operationNames)(
  'ERR-3, ERR-4, ERR-8, ERR-12, TRANS-11: whatever %s is given, the answer is one of the table, the same by either way',
  { timeout: 120_000 },
  async (name) => {
    const { input } = operations[name];
    const { params, allowed } = everyOperation[name];
    const scene = await nextScene();
    const { token } = scene.actors[allowed[0] ?? 'owner'];
    const socket = await RawSocket.open(world.url, { token });
    const refusals = new Set<ErrorCode | 'ok'>(['invalid_argument', 'too_large']);

    const both = async (json: string): Promise<Answer> => {
      const answer = await overHttp(name, token, json);
      if (refusals.has(answer.code) && json.startsWith('{'))
        expect(await overSocket(socket, name, json)).toEqual(answer);
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
      const answer = await both(toJson(body));
      expect(answer).toMatchObject({ code: 'invalid_argument', field: 'body' });
    }
    // Fields that nobody knows are ignored, whatever they are called.
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
  },
);

test('ERR-3: the cases were not nothing', () => {
  expect(cases).toBeGreaterThan(5_000);
});

test.each<[what: string, most: number, name: OperationName, params: (scene: Scene, at: number) => object]>([
  ['channels of a group', limits.channels, 'createChannel', ({ chatId }, at) => ({ chat_id: chatId, title: `${at}` })],
  ['bots of an account', limits.botsPerOwner, 'createBot', (_scene, at) => ({ slug: `n${at}`, display_name: `${at}` })],
])('LIMIT-4: there are %s up to %i, one more is 400', async (_what, most, name, params) => {
  await using own = await createWorld();
  const scene = await (await directScenes(own))();
  const socket = await scene.actors.owner.socket();
  // The scene may have one already.
  const answers = await Promise.allSettled(
    Array.from({ length: most + 1 }, (_, at) => socket.rpc(name, params(scene, at))),
  );
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(3);
  for (const error of refused) expect(error).toMatchObject({ status: 400, code: 'invalid_argument' });
});

test('LIMIT-4: an account has up to 500 drafts; those it has can still be changed and cleared', async () => {
  await using own = await createWorld();
  const { alice } = await own.people('alice');
  const socket = await alice.socket();
  const chats = await Promise.all(
    Array.from({ length: limits.drafts + 1 }, (_, at) => socket.rpc('startChat', { usernames: [], title: `${at}` })),
  );
  // What startChat answers.
  const ids = (chats as { id: string }[]).map(({ id }) => id);
  const save = (chat_id: string | undefined, text: string) => socket.rpc('saveDraft', { chat_id, text });
  await Promise.all(ids.slice(1).map((id) => save(id, 'unsent')));
  await expect(save(ids[0], 'one more')).rejects.toMatchObject({ status: 400 });
  await save(ids[1], 'changed');
  await save(ids[1], ' ');
  await save(ids[0], 'one more');
  expect((await alice.api.getDrafts()).items).toHaveLength(limits.drafts);
});
