import { fileURLToPath } from 'node:url';
import { BotProcess } from '@parley/testing/bot/bot-process.ts';
import { BotStage } from '@parley/testing/bot/stage.ts';
import { describe, expect, test } from 'vitest';
import { StartError } from './start-error.ts';

const cwd = fileURLToPath(new URL('../../../examples/echo', import.meta.url));
const nowhere = 'http://127.0.0.1:9';

/** Starts a bot that cannot run; returns its output and its exit code. */
async function failed(env: Record<string, string>, ...flags: string[]): Promise<[said: string, code: number | null]> {
  await using bot = new BotProcess([...flags, 'bot.ts'], { cwd, env });
  const code = await bot.ended();
  return [bot.said, code];
}

describe('BOTSDK-19: a bot that cannot run says why in one line and exits with 1', () => {
  test('without a WebSocket, as before Node 22', async () => {
    const env = { PARLEY_URL: nowhere, PARLEY_TOKEN: 'mb_x' };
    expect(await failed(env, '--no-experimental-websocket')).toEqual([
      `a bot needs Node 22 or newer (this is Node ${process.version}), or pass \`WebSocket\`\n`,
      1,
    ]);
  });

  test('without a token', async () => {
    const [said, code] = await failed({ PARLEY_URL: nowhere });
    expect(said).toMatch(/^a bot needs its token: create a bot in the web app, .+ PARLEY_TOKEN\n$/);
    expect(code).toBe(1);
  });

  test('with an invalid address', async () => {
    for (const url of ['nonsense', 'localhost:8080', 'ftp://127.0.0.1'])
      expect(await failed({ PARLEY_URL: url, PARLEY_TOKEN: 'mb_x' })).toEqual([
        `PARLEY_URL must be an address such as http://127.0.0.1:8080, not "${url}"\n`,
        1,
      ]);
  });

  test('with a token that the service refuses or that belongs to a person', async () => {
    await using stage = await BotStage.start();
    const { url } = stage.world;
    const [refused, code] = await failed({ PARLEY_URL: url, PARLEY_TOKEN: 'mb_nobody' });
    expect(refused).toMatch(/^http:\S+ refuses the token: .+ Settings → Bots.+ PARLEY_TOKEN\n$/);
    expect(refused).not.toContain('mb_nobody');
    expect(code).toBe(1);
    const [person, second] = await failed({ PARLEY_URL: url, PARLEY_TOKEN: 'dev:alice' });
    expect(person).toMatch(/^the token belongs to a person: .+ PARLEY_TOKEN\n$/);
    expect(second).toBe(1);
  });

  test('when its token is revoked while it runs', async () => {
    await using stage = await BotStage.start();
    const { world, account, alice } = stage;
    await using bot = new BotProcess(['bot.ts'], { cwd, env: { PARLEY_URL: world.url, PARLEY_TOKEN: account.token } });
    await stage.answerTo(await stage.say('hello'));
    await alice.api.rotateBotToken({ username: account.username });
    expect(await bot.ended()).toBe(1);
    expect(bot.said).toMatch(/^http:\S+ has revoked the token of \S+: .+ PARLEY_TOKEN\n$/);
  });

  test('unless its program catches the error', async () => {
    await using stage = await BotStage.start();
    const start = (token: string) => stage.bot({ token }).start({ signals: false });
    await expect(start('mb_nobody')).rejects.toThrow(/refuses the token/);
    await expect(start('mb_nobody')).rejects.toBeInstanceOf(StartError);
    await expect(start('dev:alice')).rejects.toThrow(/belongs to a person/);
    await expect(start('')).rejects.toThrow(/PARLEY_TOKEN/);
    await expect(stage.bot({ url: 'nonsense' }).start()).rejects.toThrow(/PARLEY_URL/);
    expect(stage.lines).toEqual([]);
  });
});
