import { monitorEventLoopDelay } from 'node:perf_hooks';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { LockCoverage } from '../cluster/lock-coverage.ts';
import { createWorld, ManualClock, type World } from '@parley/testing';
import { startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import type { ReplyScript } from '@parley/testing/providers/fake-reply.ts';
import { expect, test } from 'vitest';
import { get, photo } from '../helpers/file-stage.ts';
import { asking, toolParts } from './hands-stage.ts';
import { own, ownScene } from './own-tools-stage.ts';

const draw = (prompt = 'a red square', more: object = {}) => own('draw_picture', { prompt, ...more });
/** What the model was told of its calls in the newest request for text. */
function results(world: World, { key }: { key: string }): string[] {
  const messages = world.providers.requestsOf(key).findLast(({ body }) => 'messages' in body)?.body['messages'];
  return ((messages ?? []) as { role: string; content: string }[]).flatMap(({ role, content }) =>
    role === 'tool' ? [content.replace(/^Error: /, '')] : [],
  );
}

const models = { 'gpt-image-1': { input: 5, output: 40 }, 'by-piece': { input: 5, output: 40, image: 0.04 } };
const prices = JSON.stringify({ currency: 'USD', models });

const drawing = (world: World) =>
  ownScene(world, { provider: 'provider_b', tools: ['draw_picture'] }).then((scene) => ({
    ...scene,
    /** The model calls the tool once, and the vendor answers so. */
    async drawn(answer: ReplyScript) {
      scene.answers(asking(draw()), answer, { chunks: ['Done.'] });
      await scene.ask();
      return results(world, scene.agent).at(-1);
    },
    pictureRequests: () => world.providers.requestsOf(scene.agent.key).filter(({ body }) => 'prompt' in body),
  }));

test('OWN-16, PICTURE-1: a picture that the model asks for is a photo of the reply, with what it was drawn from', async () => {
  await using world = await createWorld();
  const { ann, chat, answers, ask, reply, pictureRequests } = await drawing(world);
  const bytes = await photo('png', { width: 64, height: 32 });
  answers(asking(draw('a red\u202e square', { size: '1536x1024' })), { picture: { bytes } }, { chunks: ['Here.'] });
  await ask();
  const { content, attachments, status } = await reply();
  expect({ content, status }).toEqual({ content: 'Here.', status: 'complete' });
  expect(attachments).toEqual([
    expect.objectContaining({ kind: 'photo', name: 'picture.png', width: 64, height: 32, alt: 'a red square' }),
  ]);
  const [first] = attachments;
  expect(Buffer.from(await (await get(world, first?.url)).arrayBuffer())).toEqual(bytes);
  expect(pictureRequests().map(({ body }) => body)).toEqual([
    { model: 'gpt-image-1', prompt: 'a red\u202e square', n: 1, size: '1536x1024' },
  ]);
  expect(toolParts(await reply())).toMatchObject([{ name: 'draw_picture', title: 'Draw a picture', status: 'done' }]);
  // What is deleted takes the file with it.
  const { id } = await reply();
  await ann.api.deleteMessages({ message_ids: [id] });
  world.service.files.sweep();
  expect((await get(world, first?.url)).status).toBe(404);
  expect((await ann.api.getChatHistory({ chat_id: chat.id })).items.some((one) => one.id === id)).toBe(false);
});

test('OWN-16: agents of a provider without pictures are not offered the tool', async () => {
  await using world = await createWorld();
  const { agent, ask } = await ownScene(world, { provider: 'provider_a', tools: ['draw_picture', 'current_time'] });
  await ask();
  expect(world.providers.requestsOf(agent.key)[0]?.body).toMatchObject({ tools: [{ name: 'current_time' }] });
});

test('PICTURE-2: the vendor’s own description is the alternative text; an address is fetched through the guard', async () => {
  await using elsewhere = await startModelServer();
  const bytes = await photo('webp');
  elsewhere.answer = (_request, response) => void response.writeHead(200, { 'content-type': 'image/webp' }).end(bytes);
  const url = `${elsewhere.origin}/picture`;
  {
    await using world = await createWorld({ env: { AGENT_ENDPOINTS: `public,${elsewhere.origin}` } });
    const { drawn, reply } = await drawing(world);
    expect(await drawn({ picture: { url, revised: 'A square, red' } })).toMatch(/drawn from: A square, red$/);
    expect((await reply()).attachments).toMatchObject([{ name: 'picture.webp', alt: 'A square, red' }]);
  }
  await using world = await createWorld();
  const { drawn, reply } = await drawing(world);
  expect(await drawn({ picture: { url } })).toMatch(/^failed: .*not allowed/);
  expect((await reply()).attachments).toEqual([]);
  expect(elsewhere.requests).toHaveLength(1);
});

test('PICTURE-3: what is no picture, or not a whole one, is a failed call in words, and nothing is stored', async () => {
  await using world = await createWorld();
  const { drawn, reply, pictureRequests } = await drawing(world);
  const png = await photo('png');
  const data = (b64_json: string): ReplyScript => ({ raw: JSON.stringify({ data: [{ b64_json }] }) });
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const cases: [ReplyScript, RegExp][] = [
    [{ status: 400, errorType: 'content_policy_violation', message: 'Not this.' }, /content filter.*Not this/],
    [{ status: 429, message: 'Slow down.' }, /limit for this API key/],
    [{ status: 500 }, /overloaded or out of order/],
    [{ status: 502, body: '<html><b>Bad gateway</b></html>' }, /overloaded or out of order \(502\)/],
    [{ raw: '<html>hello</html>' }, /holds no picture/],
    [{ raw: '{"data":[]}' }, /holds no picture/],
    [{ picture: { url: 'file:///etc/passwd' } }, /holds no picture/],
    [data(png.toString('base64').slice(0, 41)), /not complete/],
    [data('!!!'), /not complete/],
    [{ picture: { bytes: png.subarray(0, png.length - 30) } }, /must be a photo/],
    [{ picture: { bytes: svg } }, /must be a photo/],
    [{ picture: { bytes: Buffer.from('%PDF-1.4') } }, /must be a photo/],
    [{ raw: `{"data":[{"b64_json":"${'A'.repeat(20 * 1024 * 1024)}"}]}` }, /larger than 20 MiB/],
  ];
  for (const [answer, words] of cases) {
    const result = await drawn(answer);
    expect(result).toMatch(words);
    expect(result).toMatch(/^failed: /);
    expect(result).not.toMatch(/\bat .*:\d+/);
    expect((await reply()).attachments).toEqual([]);
  }
  // Each was asked for once.
  expect(pictureRequests()).toHaveLength(cases.length);
});

test('PICTURE-3: answers are read in a thread of their own: one of 20 MiB holds nobody, whatever stands in it', async () => {
  await using world = await createWorld();
  const { drawn, reply } = await drawing(world);
  const many = `{"data":[${'{},'.repeat(6_900_000)}{}]}`;
  const picture = (await photo('png')).toString('base64');
  const large = `{"data":[{"revised_prompt":${JSON.stringify('\u0007'.repeat(3_000_000))},"b64_json":"${picture}"}]}`;
  const cases: [string, RegExp][] = [
    [many, /holds no picture/],
    [large, /The picture is drawn/],
  ];
  for (const [raw, words] of cases) {
    const held = monitorEventLoopDelay({ resolution: 1 });
    held.enable();
    expect(await drawn({ raw })).toMatch(words);
    held.disable();
    // In this process the vendor runs too; parsed here, each took more than two seconds.
    expect(held.max / 1e6).toBeLessThan(1_000);
  }
  expect((await reply()).attachments).toHaveLength(1);
});

test('PICTURE-3: a picture of 100 megapixels is refused', async () => {
  await using world = await createWorld();
  const { drawn, reply } = await drawing(world);
  const bytes = await photo('png', { width: 10_000, height: 10_000 });
  expect(await drawn({ picture: { bytes } })).toMatch(/at most 50 megapixels/);
  const nearly = await photo('png', { width: 8_000, height: 7_000 });
  expect(await drawn({ picture: { bytes: nearly } })).toMatch(/at most 50 megapixels/);
  expect((await reply()).attachments).toEqual([]);
});

test('PICTURE-4: a turn asks for four pictures, and the fifth fails', async () => {
  await using world = await createWorld();
  const { answers, ask, agent, reply, pictureRequests } = await drawing(world);
  const bytes = await photo('png');
  const each = Array.from({ length: 5 }, (_, at) => [asking(draw(`number ${at}`)), { picture: { bytes } }]).flat();
  answers(...each.slice(0, 9), { chunks: ['Done.'] });
  await ask();
  expect((await reply()).attachments.map(({ alt }) => alt)).toEqual(['number 0', 'number 1', 'number 2', 'number 3']);
  expect(results(world, agent).at(-1)).toMatch(/^failed: .*at most 4/);
  expect(pictureRequests()).toHaveLength(4);
});

test('PICTURE-4: a picture that a crash has interrupted is unknown, and is not asked for again', async () => {
  await using world = await createWorld();
  const { answers, ask, agent, reply, ann, chat, pictureRequests } = await drawing(world);
  answers(asking('First. ', draw()), { unanswered: true }, { chunks: ['I cannot say.'] });
  await ann.api.sendMessage({ chat_id: chat.id, text: 'draw' });
  await world.providers.waitForRequest(agent.key, 2);
  await world.crash();
  await world.restart();
  await world.turnsEnded();
  expect(toolParts(await reply())).toMatchObject([{ name: 'draw_picture', status: 'unknown' }]);
  expect(results(world, agent)).toEqual([expect.stringMatching(/^unknown: /)]);
  expect(pictureRequests()).toHaveLength(1);
  await ask();
});

test('PICTURE-4: stop reaches a picture that is being drawn', async () => {
  await using world = await createWorld();
  const { answers, agent, reply, ann, chat } = await drawing(world);
  answers(asking('First. ', draw()), { unanswered: true });
  await ann.api.sendMessage({ chat_id: chat.id, text: 'draw' });
  const request = await world.providers.waitForRequest(agent.key, 2);
  await ann.api.stopRun({ chat_id: chat.id });
  await request.closed;
  await world.turnsEnded();
  const { status, finish_reason } = await reply();
  expect({ status, finish_reason }).toEqual({ status: 'cancelled', finish_reason: 'stopped' });
  expect(toolParts(await reply())).toMatchObject([{ status: 'unknown' }]);
});

test('PICTURE-4: a vendor that has not answered after two minutes may have drawn', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { answers, agent, reply, ann, chat } = await drawing(world);
  answers(asking('First. ', draw()), { unanswered: true }, { chunks: ['Too late.'] });
  await ann.api.sendMessage({ chat_id: chat.id, text: 'draw' });
  const request = await world.providers.waitForRequest(agent.key, 2);
  await clock.advance(120_000);
  await request.closed;
  await world.turnsEnded();
  expect(toolParts(await reply())).toMatchObject([{ status: 'unknown' }]);
  expect((await reply()).content).toMatch(/Too late\.$/);
});

test('PICTURE-5: a picture is booked with the vendor’s usage and its price, or with the price of a picture', async () => {
  for (const [model, usage, tokens, micros] of [
    ['gpt-image-1', { input: 10, output: 1_000 }, 1_010, 40_050],
    ['by-piece', null, 0, 40_000],
  ] as const) {
    await using world = await createWorld({ env: { PROVIDER_B_IMAGE_MODEL: model, AGENT_PRICES: prices } });
    const { answers, ask, ann, reply } = await drawing(world);
    answers(
      asking(draw()),
      { picture: { bytes: await photo('png') }, usage },
      { chunks: ['Done.'], usage: { input: 0, output: 0 } },
    );
    await ask();
    const { id } = await reply();
    const paid = (await ann.api.getReplyPrices({ message_ids: [id] })).items;
    expect(paid).toEqual([{ message_id: id, prices: [{ currency: 'USD', micros }] }]);
    const [used] = (await ann.api.getUsage()).items;
    // The first request for text has its usual usage of 12 and 7.
    expect((used?.input_tokens ?? 0) + (used?.output_tokens ?? 0)).toBe(tokens + 19);
    expect(used?.replies).toBe(1);
  }
});

test('PICTURE-5: a budget that is used up refuses the next picture before it is asked for', async () => {
  await using world = await createWorld();
  const { answers, ask, ann, agent, pictureRequests } = await drawing(world);
  await ann.api.setBotConfig({ username: agent.username, monthly_token_cap: 1_000 });
  const bytes = await photo('png');
  answers(asking(draw()), { picture: { bytes }, usage: { input: 10, output: 2_000 } }, asking(draw()), {
    chunks: ['Done.'],
  });
  await ask();
  expect(pictureRequests()).toHaveLength(1);
});

embeddedTest('triggers of SQLite note the rows that are written')(
  'CLUSTER-51: the rows that pictures write are covered by the locks of their units',
  async () => {
    const coverage = new LockCoverage();
    await using world = await createWorld({ startStore: coverage.store.start });
    const { drawn } = await drawing(world);
    await drawn({ picture: { bytes: await photo('png', { width: 8, height: 8 }) } });
    await drawn({ raw: 'nothing' });
    expect([...coverage.uncovered]).toEqual([]);
    for (const name of ['beginPicture', 'endPicture']) expect(coverage.written).toContain(name);
  },
);
