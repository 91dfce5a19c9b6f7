import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const markdown = `# A heading\n\nSome *text* with \`code\`, [a link](https://example.com) and @ann.\n\n- [x] done\n- [ ] open\n
| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`ts\nconst one = 1;\n\`\`\`\n\n> quoted\n
{% card title="A card" %}Its text{% /card %}\n\n{% button label="Press" action="go" /%}`;

for (const colorScheme of ['light', 'dark'] as const)
  inChromium(`WEB-12: axe finds nothing serious in the main states, ${colorScheme}`, { timeout: 120_000 }, async () => {
    // The themes differ in their colors alone.
    const rules = colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined;
    await withStage(async (stage) => {
      const all: string[] = [];
      const look = async (state: string, page: Page): Promise<void> => {
        await stage.picture(`${state}-${colorScheme}`, page);
        all.push(...(await findings(page, rules)).map((finding) => `${state}: ${finding}`));
      };
      await visit(stage, colorScheme, look);
      expect(all).toEqual([]);
    });
  });

async function visit(
  stage: Stage,
  colorScheme: 'light' | 'dark',
  look: (state: string, page: Page) => Promise<void>,
): Promise<void> {
  const ann = await stage.browser({ colorScheme, reducedMotion: 'reduce' });
  const { page } = ann;
  await look('welcome', page);
  await ann.signUp('ann');
  await look('home', page);

  const { api } = await ann.actor();
  const bob = await stage.world.member('bob');
  const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
  const bot = await stage.world.bot(bob, 'helper');
  await bob.api.addGroupAgent({ chat_id, agent_username: bot.username });
  await bot.api.sendMessage({ chat_id, text: markdown });
  const { id } = await bob.api.sendMessage({ chat_id, text: 'hello' });
  await api.setMessageReaction({ message_id: id, emoji: '👍' });
  await api.sendMessage({ chat_id, text: 'an answer', reply_to_message_id: id });
  await bob.api.pinMessage({ chat_id, message_id: id });
  await bot.api.startMessageStream({ chat_id });
  await ann.open(chat_id);
  await ann.message('an answer').waitFor();
  await ann.messages.getByText('is thinking').waitFor();
  await look('chat', page);
  await ann.message('an answer').hover();
  await ann.message('an answer').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem').first().waitFor();
  await look('menu', page);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').waitFor();
  await look('dialog', page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('complementary', { name: 'Details' }).getByText('helper').first().waitFor();
  await look('details', page);
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByRole('dialog').waitFor();
  await look('new-chat', page);
  await page.getByRole('option').first().click();
  await page.getByText('Only its owner can add it to groups').waitFor();
  await look('new-group', page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  await look('palette', page);
  for (const section of ['profile', 'emoji', 'agents', 'bots', 'sessions', 'notifications', 'privacy', 'appearance']) {
    await page.goto(`${stage.world.url}/settings/${section}`);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.locator('[role=status][aria-label^=Loading]').first().waitFor({ state: 'detached' });
    await look(`settings-${section}`, page);
    if (section !== 'agents') continue;
    for (const summary of await page.locator('details > summary').all()) await summary.click();
    await look('settings-agents-open', page);
  }
  await page.goto(`${stage.world.url}/settings/agents/new`);
  await page.getByLabel('Name').fill('Tutor');
  await look('agent-who', page);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('radio', { name: 'Own server' }).check();
  await look('agent-answers', page);
  await page.getByRole('radio', { name: 'OpenAI' }).check();
  await page.getByRole('button', { name: 'Create and try it' }).click();
  await page.getByRole('log', { name: 'Messages' }).waitFor();
  await page.locator('button[class*=primary]', { hasText: 'Add key' }).waitFor();
  await look('agent-audience', page);
  const open = await api.startChat({ usernames: [], title: 'Open to all' });
  const { token } = await api.createInvite({ chat_id: open.id });
  await page.goto(`${stage.world.url}/join/${token}`);
  await page.locator('[data-invite]').waitFor();
  await page.getByRole('button', { name: 'Join the group' }).waitFor();
  await look('join', page);
  await page.goto(`${stage.world.url}/settings/nonsense`);
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  await look('missing', page);
  const { id: direct } = await api.startChat({ username: 'bob' });
  await api.blockUser({ username: 'bob' });
  await page.goto(`${stage.world.url}/chat/${direct}`);
  await page.getByText('You blocked bob.').waitFor();
  await look('blocked', page);
}
