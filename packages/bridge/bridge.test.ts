import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BotProcess } from '@parley/testing/bot/bot-process.ts';
import { BotStage } from '@parley/testing/bot/stage.ts';
import { expect, test } from 'vitest';
import { writeBotFolder } from '../../scripts/new-bot-folder.ts';
import { agentEnvironment } from './agent-environment.ts';
import { Bridge, type BridgeOptions } from './bridge.ts';

const agentFile = fileURLToPath(import.meta.resolve('@parley/testing/hands/acp-agent.ts'));
const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** A service with a bridge to the agent of tests, which works in a folder of its own. */
class BridgeStage implements AsyncDisposable {
  readonly stage: BotStage;
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-bridge-'));
  readonly cwd = mkdtempSync(join(tmpdir(), 'parley-work-'));
  readonly lines: string[] = [];
  readonly #bridges: Bridge[] = [];

  private constructor(stage: BotStage) {
    this.stage = stage;
  }

  static async open(): Promise<BridgeStage> {
    return new BridgeStage(await BotStage.start());
  }

  /** With a bridge that has started. */
  static async start(flags: string[] = [], options: Partial<BridgeOptions> = {}): Promise<BridgeStage> {
    const opened = await BridgeStage.open();
    await opened.bridge(flags, options);
    return opened;
  }

  async bridge(flags: string[] = [], options: Partial<BridgeOptions> = {}): Promise<Bridge> {
    const { world, account } = this.stage;
    const bridge = new Bridge({
      command: [process.execPath, agentFile, ...flags],
      env: agentEnvironment(process.env, []),
      hasFiles: true,
      url: world.url,
      token: account.token,
      state: this.folder,
      cwd: this.cwd,
      log: (line) => void this.lines.push(line),
      ...options,
    });
    this.#bridges.push(bridge);
    await bridge.start({ signals: false });
    return bridge;
  }

  async answer(text: string) {
    return this.stage.answerTo(await this.stage.say(text));
  }

  question() {
    return this.stage.socket.event('messageNew', ({ decision }) => decision?.state === 'open');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#bridges.map((bridge) => bridge.stop()));
    await this.stage[Symbol.asyncDispose]();
    for (const folder of [this.folder, this.cwd]) rmSync(folder, { recursive: true, force: true });
  }
}

test('BRIDGE-3: thoughts, plan, calls, text and files of the agent become those of the reply', async () => {
  await using at = await BridgeStage.start();
  const reply = await at.answer('show');
  expect(reply).toMatchObject({ content: 'Shown.', status: 'complete', attachments: [{ name: 'notes.txt' }] });
  expect(reply.parts).toMatchObject([
    { type: 'reasoning', text: 'I think.' },
    { type: 'progress', text: '✓ first · ▸ second', done: 1, total: 2 },
    { type: 'tool', title: 'Look around', status: 'done', input: { query: 'x' }, output: { found: 1 } },
  ]);
});

test('BRIDGE-3: the agent gets the files of a message, and in a group who says it', async () => {
  await using at = await BridgeStage.start();
  const { world, alice, account } = at.stage;
  const { id } = await alice.api.uploadFile({ file: new File(['in the file'], 'a.txt') });
  const asked = await alice.api.sendMessage({ chat_id: at.stage.chatId, text: 'look', attachments: [{ id }] });
  expect((await at.stage.answerTo(asked)).content).toBe('files: in the file');
  const { id: group } = await world.group(alice, await world.member('bob'));
  await alice.api.addGroupAgent({ chat_id: group, agent_username: account.username });
  const inGroup = await at.stage.say(`@${account.username} hello`, group);
  expect((await at.stage.answerTo(inGroup)).content).toMatch(/first: .*\(@alice\) says: hello$/);
});

test.each([
  ['option-1', 'once', 'done'],
  ['option-2', 'no', 'failed'],
  ['option-3', 'always', 'done'],
])(
  'BRIDGE-4: people choose, in the agent’s order but for what allows always: %s is %s',
  async (option, chosen, status) => {
    await using at = await BridgeStage.start();
    await at.stage.say('write notes.txt hello there');
    const { id, content, decision } = await at.question();
    expect(decision).toMatchObject({ kind: 'question', deciders: ['alice'] });
    expect(decision?.options.map(({ label }) => label)).toEqual(['Allow', 'Reject', 'Always allow']);
    expect(content).toContain('+hello there');
    expect(existsSync(join(at.cwd, 'notes.txt'))).toBe(false);
    expect((await at.answer('meanwhile')).content).toContain('waits for an answer');
    await at.stage.alice.api.decide({ decision_id: id, option });
    const reply = await at.stage.socket.event('messageComplete', ({ content: text }) => text.includes('chosen'));
    expect(reply).toMatchObject({ content: `chosen: ${chosen}`, parts: [{ title: 'Write notes.txt', status }] });
    expect(existsSync(join(at.cwd, 'notes.txt'))).toBe(status === 'done');
  },
);

test('BRIDGE-4: a question that is withdrawn is cancelled for the agent', async () => {
  await using at = await BridgeStage.start([], { deciders: 'anyone' });
  await at.stage.say('write notes.txt hello');
  const { id, decision } = await at.question();
  expect(decision?.deciders).toBe('anyone');
  await at.stage.alice.api.withdrawDecision({ decision_id: id });
  await at.stage.socket.event('messageComplete', ({ content }) => content === 'cancelled');
  expect(existsSync(join(at.cwd, 'notes.txt'))).toBe(false);
});

test('BRIDGE-5: a stop reaches the agent, its end_turn is not taken for an end, and it goes on with the next message', async () => {
  await using at = await BridgeStage.start();
  const asked = await at.stage.say('hang');
  const { id } = await at.stage.placeholderOf(asked);
  await at.stage.socket.event('messageDelta', ({ id: streamed }) => streamed === id);
  await at.stage.alice.api.stopRun({ chat_id: at.stage.chatId, message_id: id });
  expect(await at.stage.answerTo(asked)).toMatchObject({ status: 'cancelled', content: 'I hang. ' });
  expect((await at.answer('hello')).content).toBe('first: hello');
});

test('BRIDGE-6: the agent reads and writes in its folder alone, and no link leads out', async () => {
  await using at = await BridgeStage.start();
  writeFileSync(join(at.cwd, 'in.txt'), 'inside');
  writeFileSync(join(at.folder, 'secret.txt'), 'secret');
  symlinkSync(join(at.folder, 'secret.txt'), join(at.cwd, 'link.txt'));
  symlinkSync(at.folder, join(at.cwd, 'folder'));
  expect((await at.answer('read in.txt')).content).toBe('read: inside');
  for (const path of [
    'link.txt',
    'folder/secret.txt',
    '../x',
    join(at.folder, 'secret.txt'),
    '/dev/zero',
    '/proc/self/environ',
  ])
    expect((await at.answer(`read ${path}`)).content).toBe('not read');
  for (const path of ['link.txt', 'folder/new.txt', 'folder/deep/new.txt']) {
    await at.stage.say(`write ${path} changed`);
    const { id } = await at.question();
    await at.stage.alice.api.decide({ decision_id: id, option: 'option-1' });
    await at.stage.socket.event('messageComplete', ({ status }) => status === 'failed');
  }
  expect(readFileSync(join(at.folder, 'secret.txt'), 'utf8')).toBe('secret');
  expect(existsSync(join(at.folder, 'new.txt')) || existsSync(join(at.folder, 'deep'))).toBe(false);
});

test('BRIDGE-6: with --no-fs the agent has no files', async () => {
  await using at = await BridgeStage.start([], { hasFiles: false });
  writeFileSync(join(at.cwd, 'in.txt'), 'inside');
  expect((await at.answer('read in.txt')).content).toBe('not read');
});

test.each([[true], [false]])(
  'BRIDGE-7: an answer counts once after a kill in mid-question (can load: %s)',
  async (canLoad) => {
    await using at = await BridgeStage.open();
    const { world, account, alice } = at.stage;
    const command = `"${process.execPath}" "${agentFile}"${canLoad ? ' --load' : ''}`;
    const start = () =>
      new BotProcess([main, '--acp', command, '--state', at.folder, '--cwd', at.cwd], {
        cwd: at.folder,
        env: { PARLEY_URL: world.url, PARLEY_TOKEN: account.token },
      });
    await using first = start();
    await first.says('is listening');
    await at.stage.say('write notes.txt hello');
    const { id } = await at.question();
    const state = statSync(join(at.folder, 'bridge.json'));
    expect(state.mode & 0o777).toBe(0o600);
    await first.stop('SIGKILL');
    await using second = start();
    await second.says('is listening');
    if (canLoad) {
      await alice.api.decide({ decision_id: id, option: 'option-1' });
      await at.stage.socket.event('messageComplete', ({ content }) => content === 'chosen: once');
      expect(readFileSync(join(at.cwd, 'notes.txt'), 'utf8')).toBe('hello');
    } else {
      const said = await at.stage.socket.event('messageComplete', ({ content }) =>
        content.includes('no longer counts'),
      );
      expect(said.status).toBe('complete');
      await expect(alice.api.decide({ decision_id: id, option: 'option-1' })).rejects.toMatchObject({ status: 409 });
      expect(existsSync(join(at.cwd, 'notes.txt'))).toBe(false);
    }
    expect((await at.stage.history()).filter(({ decision }) => decision)).toHaveLength(1);
    await second.stop();
  },
);

test.each([
  ['crash', 'So far. \n\nThe agent has ended unexpectedly (exit code 3).'],
  ['flood', /longer than a message can be/],
  ['noise', /written too much/],
  ['line', /not its protocol/],
])('BRIDGE-8: after %s one sentence says what happened, and the next message is answered', async (order, content) => {
  await using at = await BridgeStage.start();
  const failed = await at.answer(order);
  expect(failed.status).toBe('failed');
  expect(failed.content).toMatch(content);
  expect((await at.answer('hello')).content).toBe('first: hello');
});

test('BRIDGE-8: garbage between messages is passed over', async () => {
  await using at = await BridgeStage.start();
  expect((await at.answer('garbage')).content).toBe('After garbage.');
});

test.each([
  [['--hang'], 500, 'The agent does not answer.'],
  [['--exit'], 60_000, 'The agent has ended unexpectedly (exit code 3).'],
])('BRIDGE-8: an agent with %j is given up, and the conversation is told', async (flags, startMs, content) => {
  await using at = await BridgeStage.start(flags, { startMs });
  expect(await at.answer('hello')).toMatchObject({ status: 'failed', content });
});

test.each(['SIGKILL', 'SIGINT'] as const)(
  'BRIDGE-10: a bridge that ends by %s leaves no program of its agent behind, nor what that has started',
  async (signal) => {
    await using at = await BridgeStage.open();
    const { world, account } = at.stage;
    const held: Socket[] = [];
    await using server = createServer((socket) => void held.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const command = `"${process.execPath}" "${agentFile}"`;
    await using bridge = new BotProcess([main, '--acp', command, '--state', at.folder, '--cwd', at.cwd], {
      cwd: at.folder,
      env: { PARLEY_URL: world.url, PARLEY_TOKEN: account.token },
    });
    await bridge.says('is listening');
    await at.stage.say(`cling ${port}`);
    while (held.length < 2) await once(server, 'connection');
    const gone = Promise.all(held.map((socket) => once(socket.resume(), 'close')));
    await bridge.stop(signal);
    await gone;
  },
);

test('BRIDGE-2: the agent of a bridge has a small environment', async () => {
  await using at = await BridgeStage.start();
  expect((await at.answer('environment')).content).not.toContain('PARLEY');
});

test(
  'BRIDGE-9: the folder of `new-bot --acp` is a bridge that runs outside of this repository',
  { timeout: 90_000 },
  async () => {
    await using at = await BridgeStage.open();
    const command = `"${process.execPath}" "${agentFile}"`;
    const folder = await writeBotFolder('my-agent', at.folder, { serviceUrl: at.stage.world.url, acp: command });
    await using bridge = new BotProcess(['bot.js'], {
      cwd: folder,
      env: { PARLEY_URL: at.stage.world.url, PARLEY_TOKEN: at.stage.account.token },
    });
    await bridge.says('is listening');
    expect((await at.answer('hello')).content).toBe('first: hello');
    await bridge.stop();
    await expect(writeBotFolder('other', at.folder, { acp: ' ' })).rejects.toThrow('--acp');
  },
);
