import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWorld } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { expect, test } from 'vitest';
import { fromNpm, fromPyPI, PATIENCE_MS } from './installed.ts';

/** Programs in Python that need nothing of the SDK's environment. */
const SLACK_SDK = '3.48.0';

const blocks = [
  {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'done', style: { bold: true } }] }],
  },
];

async function hooked() {
  const world = await createWorld();
  const ann = await world.person('ann');
  const { id: chat_id } = await world.group(ann);
  const { url } = await ann.api.createWebhook({ chat_id });
  const texts = async () => (await ann.api.getChatHistory({ chat_id })).items.map(({ content }) => content);
  return { world, url: `${world.url}${url}/slack`, texts };
}

test('WEBHOOK-5: @slack/webhook sends texts and blocks', { ...needs('bash'), timeout: PATIENCE_MS }, async () => {
  await using packages = await fromNpm({ '@slack/webhook': '8.0.2' });
  const { world, url, texts } = await hooked();
  await using _ = world;
  const { IncomingWebhook } = (await packages.load('@slack/webhook')) as {
    // Its documented class.
    IncomingWebhook: new (url: string) => { send(message: unknown): Promise<{ text: string }> };
  };
  const hook = new IncomingWebhook(url);
  expect(await hook.send('*ok* :tada:')).toMatchObject({ text: 'ok' });
  expect(await hook.send({ text: 'x', blocks })).toMatchObject({ text: 'ok' });
  expect((await texts()).slice(-2)).toEqual(['**ok** 🎉', '**done**']);
});

test('WEBHOOK-5: slack_sdk sends texts and blocks', { ...needs('python'), timeout: PATIENCE_MS }, async () => {
  await using packages = await fromPyPI({ 'slack-sdk': SLACK_SDK });
  const { world, url, texts } = await hooked();
  await using _ = world;
  const program = join(packages.folder, 'send.py');
  await writeFile(
    program,
    `import json, sys
from slack_sdk.webhook import WebhookClient
client = WebhookClient(sys.argv[1])
for message in json.loads(sys.argv[2]):
    answer = client.send(**message)
    print(answer.status_code, answer.body)
`,
  );
  const messages = JSON.stringify([{ text: '*ok* :tada:' }, { text: 'x', blocks }]);
  const { stdout } = await promisify(execFile)(packages.python, [program, url, messages]);
  expect(stdout).toBe('200 ok\n200 ok\n');
  expect((await texts()).slice(-2)).toEqual(['**ok** 🎉', '**done**']);
});
