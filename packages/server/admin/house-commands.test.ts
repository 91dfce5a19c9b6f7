import { writeFileSync } from 'node:fs';
import { Installation } from '@parley/testing/servers/installation.ts';
import { startFakeProviders } from '@parley/testing/providers/fake-providers.ts';
import { expect, test } from 'vitest';

const KEY = 'sk-house-0123456789';
const username = 'parley:house';

test('ADMIN-23: house set gives everyone an agent that answers; show prints the tail of the key; remove ends it', async () => {
  const providers = await startFakeProviders();
  await using ending = new AsyncDisposableStack();
  ending.defer(() => providers.close());
  await using installation = new Installation();
  await installation.start(providers.env);
  providers.script(KEY, { chunks: ['Hello'], usage: { input: 6, output: 4 } });
  const ann = await installation.member('ann');
  expect(await installation.admin('house show')).toMatchObject({ code: 0, out: 'The house’s agent is off.\n' });
  const made = await installation.admin('house set --provider provider_b --model small --key-stdin', `${KEY}\n`);
  expect(made).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/answers everyone/) });
  const { id: chat_id } = await ann.api.startChat({ username });
  const socket = await ann.socket();
  const seen = new Set<string>();
  const ask = async (text: string) => {
    await ann.api.sendMessage({ chat_id, text });
    const reply = await socket.event('messageComplete', ({ id }) => !seen.has(id));
    seen.add(reply.id);
    return reply;
  };
  expect(await ask('hi')).toMatchObject({ status: 'complete', content: 'Hello' });
  const shown = await installation.admin('house show');
  expect(shown.out).toMatch(/model: small\nkey: ••••6789\n[^]*used today: 10\nset by: this command\n/);
  expect(shown.out).not.toContain(KEY);

  // Without a key the agent keeps the one that it has.
  expect(await installation.admin('house set --provider provider_b --daily-tokens 10')).toMatchObject({ code: 0 });
  expect(await ask('again')).toMatchObject({ status: 'failed', finish_reason: 'asker_token_cap' });
  expect(await installation.admin('house set --provider provider_a')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/key is missing/),
  });

  expect(await installation.admin('house remove')).toMatchObject({ code: 0 });
  expect(await installation.admin('house remove')).toMatchObject({ code: 1 });
  expect(await ask('and now?')).toMatchObject({
    status: 'failed',
    finish_reason: 'no_key',
    content: expect.stringMatching(/switched off/),
  });
  const bob = await installation.member('bob');
  expect((await bob.api.getChats()).items).toHaveLength(1);
  expect(providers.requestsOf(KEY)).toHaveLength(1);

  const audit = await ann.api.getAudit({});
  expect(audit.items.map(({ action }) => action).filter((action) => action.startsWith('house '))).toEqual(
    expect.arrayContaining(['house set', 'house show', 'house remove']),
  );
  expect(JSON.stringify(audit)).not.toContain('6789');
});

test('ADMIN-23: the key may be in a file; wrong options are refused and quote no key', async () => {
  await using installation = new Installation();
  await installation.start();
  writeFileSync(installation.file('key'), `${KEY}\n`);
  const file = `--key-file ${installation.file('key')}`;
  expect(await installation.admin(`house set --provider provider_b ${file}`)).toMatchObject({ code: 0 });
  for (const wrong of [
    `--provider other ${file}`,
    `--provider provider_b --daily-tokens 0 ${file}`,
    `--provider provider_b --daily-tokens 10 --daily-tokens-all 9 ${file}`,
    `--provider provider_b --key-stdin ${file}`,
    '--provider provider_b --key-stdin',
  ])
    expect(await installation.admin(`house set ${wrong}`), wrong).toMatchObject({ code: 2 });
  const cut = await installation.admin('house set --provider provider_b --key-stdin', 'sk-one\nsk-two');
  expect(cut).toMatchObject({ code: 1 });
  expect(cut.err).not.toContain('sk-');
});

test('HOUSE-2: what the environment sets ends with the variable; what the command sets stays', async () => {
  await using installation = new Installation();
  await installation.start({ HOUSE_AGENT: 'provider_b', HOUSE_AGENT_KEY: KEY });
  expect((await installation.admin('house show')).out).toMatch(/set by: HOUSE_AGENT in the environment/);
  await installation.stop();
  await installation.start();
  expect((await installation.admin('house show')).out).toBe('The house’s agent is off.\n');
  await installation.stop();
  // The command works while no service runs.
  expect(await installation.admin('house set --provider provider_b --key-stdin', KEY)).toMatchObject({ code: 0 });
  await installation.start();
  expect((await installation.admin('house show')).out).toMatch(/set by: this command/);
});
