import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Installation, password } from '@parley/testing/servers/installation.ts';
import { expect, test } from 'vitest';
import { readPassword } from './password-input.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

test('ADMIN-1: the exit code is 0, 1 for a failure, or 2 for wrong usage; an error is one clear line', async () => {
  await using installation = new Installation();
  const run = async (args: string, input = '') => installation.admin(args, input);
  expect(await run('--help')).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/account.*sessions.*backup.*restore.*reseal.*check/s),
  });
  for (const args of [
    'nonsense',
    'account',
    'account create',
    'account create Ann --password-stdin',
    'account create ann',
    'account create ann --nonsense',
    'sessions end ann',
    'sessions end ann 1 --all',
    'backup',
    'check it',
  ]) {
    const { code, out, err } = await run(args);
    expect([args, code, out]).toEqual([args, 2, '']);
    expect(err).not.toBe('');
  }
  const none = `error: there is no database in ${installation.dataDir}\n`;
  for (const args of ['account enable ann', 'sessions list ann', 'check', `backup ${installation.file('b')}`])
    expect(await run(args)).toEqual({ code: 1, out: '', err: none });
  expect(await run('reseal')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^error: there is neither SECRETS_KEY nor/),
  });
  expect(await run('account create ann --password-stdin', 'short')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^error: the password has/),
  });
  expect(await run('account create ann --password-stdin', password)).toMatchObject({ code: 0 });
  expect(await run('account enable nobody')).toEqual({ code: 1, out: '', err: 'error: not found: account nobody\n' });
  expect(await run('account disable ann:provider_a')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/is an agent/),
  });
  expect(await installation.admin('check', '', { DATABASE_URL: 'postgres://' })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/DATABASE_URL/),
  });
  expect(await run('check --data-dir /nowhere')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/there is no database in \/nowhere/),
  });
});

test('ADMIN-1: the command runs as a process with the environment of the service', { tags: ['long'] }, async () => {
  await using installation = new Installation();
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [main, ...args], { env: installation.env(), cwd: installation.dataDir });
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.stdin.end(password);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await exit, out, err };
  };
  await installation.start();
  expect(await run('account', 'create', 'ann', '--password-stdin')).toMatchObject({ code: 0, err: '' });
  expect(await (await installation.signIn('ann')).api.getMe()).toMatchObject({ username: 'ann' });
  expect(await run('account', 'create', 'ann', '--password-stdin')).toMatchObject({ code: 1, out: '' });
  expect(await run('nonsense')).toMatchObject({ code: 2, out: '' });
});

test('ADMIN-2: the prompt asks for a password twice and never shows it', async () => {
  const ask = (...typed: string[]) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    let shown = '';
    const write = (text: string): void => {
      shown += text;
      // Types the next answer after each prompt.
      if (text !== '\n') setImmediate(() => stdin.write(typed.shift() ?? ''));
    };
    return readPassword({ stdin, stderr: { write } }, false).then(
      (given) => ({ given, shown }),
      (error: Error) => ({ error: error.message, shown }),
    );
  };
  const shown = 'Password: \nOnce more: \n';
  expect(await ask('secret one\r', 'secret one\r')).toEqual({ given: 'secret one', shown });
  expect(await ask('secret one\r', 'secret two\r')).toEqual({ error: 'the two passwords differ', shown });
  expect(await ask('secret\u0003')).toEqual({ error: 'no password was given', shown: 'Password: \n' });
});

test('ADMIN-7: the channel accepts the command’s requests and nothing else', async () => {
  await using installation = new Installation();
  await installation.start();
  await installation.member('ann');
  const say = async (line: string): Promise<unknown> => {
    const socket = connect(installation.file('admin.sock'));
    socket.write(`${line}\n`);
    const answer = await text(socket);
    return answer === '' ? 'hung up' : JSON.parse(answer);
  };
  const unknown = { ok: false, message: 'unknown request' };
  for (const name of ['sendMessage', 'trimLog', 'toString', 7, null])
    expect(await say(JSON.stringify({ name, input: {} }))).toEqual(unknown);
  expect(await say('null')).toEqual(unknown);
  for (const input of [undefined, null, {}, { username: 7 }])
    expect(await say(JSON.stringify({ name: 'listAccountSessions', input }))).toMatchObject({ ok: false });
  const listed = JSON.stringify({ name: 'listAccountSessions', input: { username: 'ann' } });
  expect(await say(listed)).toMatchObject({ ok: true, result: [{}] });
  expect(await say(listed)).toMatchObject({ ok: true });
});
