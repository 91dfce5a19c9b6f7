import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BotProcess } from '../bot/bot-process.ts';
import { describeWithPython, python } from '../bot/python.ts';
import { BotStage } from '../bot/stage.ts';
import { documented } from './code-blocks.ts';

describeWithPython('the bot without an SDK', 120_000, () => {
  test('DOCS-6: the bot in Python without an SDK answers, also what it was asked while it was away, and goes on after a kill', async () => {
    await using stage = await BotStage.start();
    const { proxy, account } = stage;
    const folder = await mkdtemp(join(tmpdir(), 'parley-python-bot-'));
    const file = join(folder, 'bot.py');
    await writeFile(file, documented('docs/guide/bot-without-sdk.md', 'bot'));
    const env = { PARLEY_URL: proxy.url, PARLEY_TOKEN: account.token };
    const said = async (text: string) => (await stage.answerTo(await stage.say(text))).content;
    {
      await using bot = new BotProcess([file], { command: python, cwd: folder, env });
      await bot.says(`connected as ${account.username}`);
      expect(await said('good morning, bot')).toBe('You said: good morning, bot ');
      // The bot may still wait for the answer to its last call, which it then repeats until the network is back.
      proxy.takeDown();
      const missed = await stage.say('are you there?');
      proxy.heal();
      expect((await stage.answerTo(missed)).content).toBe('You said: are you there? ');
      await bot.says('connecting again');
      const long = await stage.say('word '.repeat(100).trim());
      const { id } = await stage.placeholderOf(long);
      await stage.socket.event('messageDelta', (delta) => delta.id === id);
      proxy.cut({ reset: true });
      expect((await stage.answerTo(long)).content).toBe(`You said: ${'word '.repeat(100)}`);
      expect(await said('and now?')).toBe('You said: and now? ');
      const cut = await stage.say('piece '.repeat(200).trim());
      const { id: begun } = await stage.placeholderOf(cut);
      await stage.socket.event('messageDelta', (delta) => delta.id === begun);
      await bot.stop('SIGKILL');
      const unheard = await stage.say('were you away?');
      await using next = new BotProcess([file], { command: python, cwd: folder, env });
      await next.says(`connected as ${account.username}`);
      expect(await stage.answerTo(cut)).toMatchObject({ id: begun, content: `You said: ${'piece '.repeat(200)}` });
      expect((await stage.answerTo(unheard)).content).toBe('You said: were you away? ');
    }
    expect((await stage.history()).filter(({ sender }) => sender.username === account.username)).toHaveLength(6);
    await rm(folder, { recursive: true });
  });
});
