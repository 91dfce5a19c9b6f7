import { createWorld, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { LockCoverage } from '../cluster/lock-coverage.ts';
import { type FileContent, get, storedNames, upload } from '../helpers/file-stage.ts';
import { asking, results, toolParts } from './hands-stage.ts';
import { type Kill, killAt, killEverywhere } from './kill-at.ts';
import { own, ownScene } from './own-tools-stage.ts';

const code = (text: string, ...files: string[]) => own('run_code', { code: text, ...(files.length > 0 && { files }) });
const only = { tools: ['run_code' as const] };

/** Ann, or another person, sends a file. */
async function sent(
  { chat, ann }: Awaited<ReturnType<typeof ownScene>>,
  content: FileContent,
  name: string,
  from = ann,
): Promise<string> {
  const { id } = await upload(from, content, name);
  return (await from.api.sendMessage({ chat_id: chat.id, text: 'see', attachments: [{ id }] })).id;
}

const namesOf = ({ attachments }: { attachments: readonly { name?: string | undefined }[] }) =>
  attachments.map(({ name }) => name);

test('CODE-1: code computes, and its model gets what it printed, returned or threw', async () => {
  await using world = await createWorld();
  const { told, reply } = await ownScene(world, only);
  const [result] = await told(code(`console.log('seven', 7); return { sum: [1, 2, 3].reduce((a, b) => a + b) };`));
  expect(result).toMatch(/^The code has run\.\n[^\n]+\n```\nseven 7\nReturned: \{"sum":6\}\n```$/);
  expect(toolParts(await reply())).toMatchObject([{ name: 'run_code', title: 'Run code', status: 'done' }]);
  const [thrown] = await told(code('console.log("so far");\nnope()'));
  expect(thrown).toMatch(
    /thrown an error\.\n[^\n]+\n```\nso far\nReferenceError: nope is not defined \(line 2\)\n```$/,
  );
  expect(toolParts(await reply())).toMatchObject([{ status: 'failed' }]);
  const [misused] = await told(own('run_code', { code: 7 }));
  expect(misused).toMatch(/arguments do not fit: code/);
});

test('CODE-6, CODE-8: a CSV of the conversation becomes a chart of the reply, as an SVG and as a picture', async () => {
  await using world = await createWorld();
  const scene = await ownScene(world, only);
  const { ann, reply, told } = scene;
  await sent(scene, 'month,sum\nMay,3\nJune,"5"\n', 'sales.csv');
  await world.turnsEnded();
  const stored = () => world.sql('SELECT bytes FROM stored_bytes');
  const before = await stored();
  const [result] = await told(
    code(
      `const rows = parseCsv(readText('sales.csv'));
       const svg = chart({ title: { text: 'Sales' }, xAxis: { type: 'category', data: rows.map((row) => row.month) },
         yAxis: {}, series: [{ type: 'bar', data: rows.map((row) => Number(row.sum)) }] });
       saveFile('sales.svg', svg); saveFile('../sales.png', svg, 'Sales in May and June');`,
      'sales.csv',
    ),
  );
  expect(result).toMatch(/^The code has run\. It has added to your reply: "sales.svg" \(\d+ bytes\), "sales.png" /);
  const message = await reply();
  expect(message.attachments).toMatchObject([
    { kind: 'file', name: 'sales.svg', mime_type: 'text/plain', thumbnail_url: expect.any(String) },
    {
      kind: 'photo',
      name: 'sales.png',
      mime_type: 'image/png',
      width: 1600,
      height: 960,
      alt: 'Sales in May and June',
    },
  ]);
  const picture = Buffer.from(await (await get(world, message.attachments[1]?.url)).arrayBuffer());
  const { channels } = await sharp(picture).stats();
  expect(channels.some(({ min }) => min < 200)).toBe(true);
  // They are the agent's, whose owner they count for, and go with the reply.
  expect(await stored()).not.toEqual(before);
  await ann.api.deleteMessages({ message_ids: [message.id] });
  world.service.files.sweep();
  expect((await get(world, message.attachments[1]?.url)).status).toBe(404);
});

test('CODE-6: code reads the files that asker and agent see in this conversation, and no others', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const scene = await ownScene(world, { ...only, others: [bob] });
  const { ann, told, chat } = scene;
  const other = await world.group(ann, bob);
  const { id } = await upload(ann, 'elsewhere', 'elsewhere.txt');
  await ann.api.sendMessage({ chat_id: other.id, text: 'see', attachments: [{ id }] });
  await upload(ann, 'unsent', 'unsent.txt');
  const message = await sent(scene, 'of bob', 'bob.txt', bob);
  const read = (name: string) => told(code(`return readText(${JSON.stringify(name)})`, name));
  expect((await read('bob.txt'))[0]).toContain('Returned: of bob');
  for (const name of ['elsewhere.txt', 'unsent.txt', '../../secrets.key'])
    expect((await read(name))[0]).toMatch(/^(?:failed: |Error: )+There is no file /);
  await bob.api.deleteMessages({ message_ids: [message] });
  expect((await read('bob.txt'))[0]).toMatch(/There is no file "bob\.txt" in this conversation/);
  await sent(scene, 'x'.repeat(9_000_000), 'one.txt');
  await sent(scene, 'x'.repeat(9_000_000), 'two.txt');
  expect((await told(code('return 1', 'one.txt', 'two.txt')))[0]).toMatch(/at most 16777216 bytes of files/);
  expect(chat.id).not.toBe(other.id);
});

test('CODE-10: code that has read a file of others makes calls ask that write; code itself never asks', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const scene = await ownScene(world, { tools: ['run_code', 'remind'], others: [bob] });
  const { ann, agent, answers, ask, decisions, reply } = scene;
  // Otherwise the model is sent the files before it asks for them.
  await ann.api.updateAgent({ username: agent.username, context: { files: false } });
  await sent(scene, 'a,b\n1,2', 'bob.csv', bob);
  await sent(scene, 'a,b\n1,2', 'ann.csv');
  const reads = async (text: string, name: string): Promise<unknown[]> => {
    const both = asking(code('return 1'), own('remind', { in_minutes: 5 }));
    answers(asking(code(text, name)), both, { chunks: ['Done.'] });
    await ask();
    return toolParts(await reply()).map(({ status }) => status);
  };
  expect(await reads('return readText("ann.csv")', 'ann.csv')).toEqual(['done', 'done', 'done']);
  // What strangers wrote may also be in an error, and in a call whose files are stored with its end.
  for (const [text, status] of [
    ['return readText("bob.csv")', 'done'],
    ['throw new Error(readText("bob.csv"))', 'failed'],
    ['saveFile("a.txt", readText("bob.csv"))', 'done'],
  ] as const) {
    expect(await reads(text, 'bob.csv')).toEqual([status, 'done', 'needs_approval']);
    expect((await decisions()).at(-1)?.decision?.call?.tool).toBe('remind');
  }
});

test('CODE-7: what code saves counts for the owner; without room nothing is stored, and the model is told', async () => {
  await using world = await createWorld({ settings: { storedBytes: 6_000_000 } });
  const { told, reply } = await ownScene(world, only);
  const [kept] = await told(code('saveFile("a.bin", new Uint8Array(100_000))'));
  expect(kept).toContain('"a.bin" (100000 bytes)');
  const before = await storedNames(world);
  const [refused] = await told(code('saveFile("b.bin", new Uint8Array(8_000_000))'));
  expect(refused).toMatch(/a person and its bots store at most/);
  expect((await reply()).attachments).toEqual([]);
  expect(await storedNames(world)).toEqual(before);
});

test('CODE-7: a reply has at most ten files; a PNG whose SVG cannot be drawn is refused', async () => {
  await using world = await createWorld();
  const { answers, ask, reply, agent, told } = await ownScene(world, only);
  const four = code('for (const n of [1, 2, 3, 4]) saveFile(n + ".txt", "x")');
  answers(asking(four), asking(four), asking(four), { chunks: ['Done.'] });
  await ask();
  expect((await reply()).attachments).toHaveLength(8);
  expect(results(world, agent).at(-1)).toMatch(/a reply has at most 10/);
  const [refused] = await told(code('saveFile("a.png", "<svg xmlns=\'http://www.w3.org/2000/svg\'><broken")'));
  expect(refused).toMatch(/SVG that cannot be drawn/);
  expect((await reply()).attachments).toEqual([]);
});

test('CODE-7: pictures of 100 megapixels and SVGs that grow are stored as files, or refused, and drawn nowhere', async () => {
  await using world = await createWorld();
  const scene = await ownScene(world, only);
  const { told, reply } = scene;
  const large = await sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  await sent(scene, new Uint8Array(large), 'large.png');
  await world.turnsEnded();
  await told(code('saveFile("copy.png", readBytes("large.png"))', 'large.png'));
  expect((await reply()).attachments).toMatchObject([{ kind: 'file', name: 'copy.png' }]);
  const uses = Array.from({ length: 20 }, (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(10)}</g>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g id="g0"><rect width="9" height="9"/></g>${uses.join('')}</svg>`;
  const [refused] = await told(code(`saveFile("bomb.png", ${JSON.stringify(svg)})`));
  expect(refused).toMatch(/SVG that cannot be drawn|has run/);
});

test('CONFIG-32: with RUN_CODE=0 no model is offered the tool, and a call of it fails', async () => {
  await using world = await createWorld({ env: { RUN_CODE: '0' } });
  const { agent, told } = await ownScene(world, { tools: ['run_code', 'current_time'] });
  const [result] = await told(code('return 1'));
  expect(result).toMatch(/There is no tool of the name run_code/);
  expect(world.providers.requestsOf(agent.key)[0]?.body).toMatchObject({ tools: [{ name: 'current_time' }] });
});

test('CODE-4: stopRun kills code that runs, and its reply ends', async () => {
  await using world = await createWorld();
  const { answers, ann, chat, reply } = await ownScene(world, only);
  answers(asking('First. ', code('for (;;);')));
  await ann.api.sendMessage({ chat_id: chat.id, text: 'loop' });
  await vi.waitFor(async () => expect(toolParts(await reply())).toMatchObject([{ name: 'run_code' }]));
  await ann.api.stopRun({ chat_id: chat.id });
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'cancelled', finish_reason: 'stopped', attachments: [] });
});

test('CODE-11: what code has said of files is kept nowhere; a reply that goes on runs it again, without adding files again', async () => {
  await using world = await createWorld();
  const scene = await ownScene(world, { tools: ['run_code', 'ask'] });
  const { ann, agent, answers, ask, reply, decisions } = scene;
  const message = await sent(scene, 'secret', 'a.txt');
  await world.turnsEnded();
  const runs = code('saveFile("b.txt", "x"); return readText("a.txt") + " words"', 'a.txt');
  const question = (text: string) => own('ask', { question: text, options: ['Yes'] });
  answers(asking(runs, code('return "kept " + "words"'), question('Sure?')), asking(question('Really?')), {
    chunks: ['Done.'],
  });
  await ask();
  const shown = async () => JSON.stringify([await ann.api.getToolCalls({}), await reply()]);
  expect(await shown()).not.toContain('secret words');
  expect(await shown()).toContain('kept words');
  const decide = async () => {
    await ann.api.decide({ decision_id: (await decisions()).at(-1)?.id ?? '', option: 'option_1' });
    await world.turnsEnded();
  };
  await decide();
  expect(results(world, agent).join()).toContain('secret words');
  await ann.api.deleteMessages({ message_ids: [message] });
  await decide();
  expect(results(world, agent).join()).not.toContain('secret words');
  expect(results(world, agent).join()).toContain('kept words');
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Done.' });
  expect(namesOf(await reply())).toEqual(['b.txt']);
});

/** A turn whose code saves a file; returns whether it was killed. */
async function play(at: Kill): Promise<boolean> {
  await using world = await createWorld({ expectsErrors: true });
  const { ann, agent, chat, reply } = await ownScene(world, only);
  world.providers.script(agent.key, () =>
    results(world, agent).length === 0
      ? asking(code('saveFile("a.txt", "x"); return "it ran"'))
      : { chunks: ['That is all.'] },
  );
  const kill = killAt(world, at);
  await ann.api.sendMessage({ chat_id: chat.id, text: 'please' });
  const isDead = await Promise.race([kill.died, world.turnsEnded().then(() => false)]);
  if (isDead) {
    await world.crash();
    await world.turnsEnded();
  }
  expect(await reply()).toMatchObject({ status: 'complete', content: 'That is all.' });
  expect(namesOf(await reply())).toEqual(['a.txt']);
  expect(results(world, agent)).toEqual([expect.stringContaining('Returned: it ran')]);
  return isDead;
}

for (const when of ['before', 'after'] as const)
  embeddedTest('the cluster has tests of its own')(
    `CODE-11: ★ killed ${when} the commits of a call, code that was interrupted runs again, and its files are added once`,
    { timeout: 120_000 },
    () => killEverywhere(['storeStep', 'expectBytes', 'endCodeCall', 'admitStep'], when, play),
  );

embeddedTest('triggers of SQLite note the rows that are written')(
  'CLUSTER-51: the rows that code writes are covered by the locks of its unit',
  async () => {
    const coverage = new LockCoverage();
    await using world: World = await createWorld({ startStore: coverage.store.start });
    const { told } = await ownScene(world, only);
    await told(code('saveFile("a.txt", "x")'));
    expect([...coverage.uncovered]).toEqual([]);
    expect(coverage.written).toContain('endCodeCall');
  },
);
