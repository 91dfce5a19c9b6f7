import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const commands = [
  {
    command: 'weather',
    description: 'The weather of a city, today or later',
    arguments: [{ name: 'city', required: true, description: 'Where' }, { name: 'day' }],
  },
  { command: 'help', description: 'What I can do' },
  { command: 'mute', description: 'Fewer messages from me' },
];

inChromium(
  'COMMAND-4: a slash suggests the commands of a bot with their arguments; Enter writes or sends one',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const { page } = ann;
      const actor = await ann.actor();
      const bot = await stage.world.bot(actor, 'weather');
      await bot.api.setBotCommands({ commands });
      const { id } = await actor.api.startChat({ username: bot.username });
      await ann.open(id);
      const list = page.getByRole('listbox', { name: 'Commands' });
      await ann.composer.pressSequentially('/');
      await list.getByRole('option', { name: '/weather' }).waitFor();
      expect(await findings(page)).toEqual([]);
      await stage.picture('bot-commands-light', page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await stage.picture('bot-commands-dark', page);
      await page.setViewportSize({ width: 390, height: 800 });
      await stage.picture('bot-commands-phone', page);
      await ann.composer.pressSequentially('wea');
      await page.keyboard.press('Enter');
      await expect.poll(async () => ann.composer.inputValue()).toBe('/weather ');
      const hint = page.getByRole('status').filter({ hasText: '/weather city [day]' });
      await hint.getByText('Where').waitFor();
      await stage.picture('bot-commands-hint', page);
      await ann.composer.pressSequentially('Rome');
      await page.keyboard.press('Enter');
      await ann.message('/weather Rome').waitFor();
      await hint.waitFor({ state: 'detached' });
      // One without arguments is sent at once.
      await ann.composer.pressSequentially('/hel');
      await list.getByRole('option', { name: '/help' }).waitFor();
      await page.keyboard.press('Enter');
      await ann.message('/help').waitFor();
      // The app has this command too: the mention makes it the bot's.
      await ann.composer.pressSequentially('/mute');
      await list.getByRole('option', { name: 'Fewer messages' }).click();
      // Until the service has stored it, the history does not hold it.
      await ann.message('/mute').and(page.locator('[data-status=complete]')).waitFor();
      const { items } = await bot.api.getChatHistory({ chat_id: id });
      expect(items.map(({ content }) => content)).toEqual(['/weather Rome', '/help', `@${bot.username} /mute`]);
    });
  },
);

inChromium('COMMAND-4: in a group the command names its bot, which it fires', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const actor = await ann.actor();
    const bot = await stage.world.bot(actor, 'weather');
    await bot.api.setBotCommands({ commands });
    const { id: chat_id } = await stage.world.group(actor);
    await actor.api.addGroupAgent({ chat_id, agent_username: bot.username });
    await ann.open(chat_id);
    await ann.composer.pressSequentially('/wea');
    await page.getByRole('listbox', { name: 'Commands' }).getByRole('option', { name: '/weather' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => ann.composer.inputValue()).toBe(`@${bot.username} /weather `);
    await ann.composer.pressSequentially('Rome');
    await page.keyboard.press('Enter');
    await ann.message('Rome').waitFor();
    // The message is shown before it is sent.
    await expect
      .poll(async () => (await bot.api.getChatHistory({ chat_id })).items)
      .toMatchObject([{ content: `@${bot.username} /weather Rome`, dispatch: [bot.username] }]);
  });
});
