import { readFileSync } from 'node:fs';
import { createWorld } from '@parley/testing';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { get, upload } from '../helpers/file-stage.ts';
import { toolParts } from './hands-stage.ts';
import { own, ownScene } from './own-tools-stage.ts';

const code = (text: string, ...files: string[]) => own('run_code', { code: text, ...(files.length > 0 && { files }) });

test('CODE-1: code computes, and its model gets what it printed and returned', async () => {
  await using world = await createWorld();
  const { told, reply } = await ownScene(world, { tools: ['run_code'] });
  const [result] = await told(code(`console.log('seven', 7); return { sum: [1, 2, 3].reduce((a, b) => a + b) };`));
  expect(result).toMatch(/^The code has run\.\n[^\n]+\n```\nseven 7\nReturned: \{"sum":6\}\n```$/);
  expect(toolParts(await reply())).toMatchObject([{ name: 'run_code', title: 'Run code', status: 'done' }]);
});

test('CODE-6, CODE-7: a CSV of the conversation becomes a chart of the reply, as SVG and as a picture', async () => {
  await using world = await createWorld();
  const { ann, chat, answers, ask, reply, told } = await ownScene(world, { tools: ['run_code'] });
  const csv = await upload(ann, 'month,sum\nMay,3\nJune,"5"\n', 'sales.csv');
  await ann.api.sendMessage({ chat_id: chat.id, text: 'see', attachments: [{ id: csv.id }] });
  await world.turnsEnded();
  const [result] = await told(
    code(
      `const rows = parseCsv(readText('sales.csv'));
       const svg = chart({ title: { text: 'Sales' }, xAxis: { type: 'category', data: rows.map((row) => row.month) },
         yAxis: {}, series: [{ type: 'bar', data: rows.map((row) => Number(row.sum)) }] });
       saveFile('sales.svg', svg); saveFile('../sales.png', svg);`,
      'sales.csv',
    ),
  );
  expect(result).toMatch(/added to your reply: "sales.svg"/);
  const { attachments } = await reply();
  expect(attachments).toMatchObject([
    { kind: 'file', name: 'sales.svg' },
    { kind: 'photo', name: 'sales.png', mime_type: 'image/png', width: 1600, height: 960 },
  ]);
  const bytes = Buffer.from(await (await get(world, attachments[1]?.url)).arrayBuffer());
  console.log((await sharp(bytes).toFile('/tmp/hc/chart.png')).width);
});
