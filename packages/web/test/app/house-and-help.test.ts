// What somebody new meets first: an agent that answers, a guide that opens what it explains, and help. Also the source of
// the pictures of the help: `HELP_PICTURES=1` writes them.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const folder = join(import.meta.dirname, '../../../server/transport/docs/pictures');
const KEY = 'key-of-house';
const house = { HOUSE_AGENT: 'provider_b', HOUSE_AGENT_KEY: KEY };
const small = { viewport: { width: 780, height: 440 } } as const;

/** Saves a picture of the help, if it is asked for. */
async function helpPicture(name: string, page: Page): Promise<void> {
  if (process.env['HELP_PICTURES'] !== '1') return;
  const shown = { type: 'jpeg', quality: 72, animations: 'disabled' } as const;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.screenshot({ ...shown, path: join(folder, `${name}.jpg`) });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ ...shown, path: join(folder, `${name}-dark.jpg`) });
  await page.emulateMedia({ colorScheme: 'light' });
}

inChromium('WEB-560: the guide answers in the language of the question, and its link opens the form', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', small);
    const { page } = ann;
    const { api } = await ann.actor();
    const { id } = await api.startChat({ username: 'parley:guide' });
    await ann.open(id);
    await page.getByRole('button', { name: 'How do I invite a friend?' }).click();
    await ann.message('Invite link').getByRole('link', { name: 'All of the help' }).waitFor();
    await ann.say('Wie schalte ich den Dunkelmodus ein?');
    await ann.message('Dunkelmodus und Textgröße').getByRole('link', { name: 'Die ganze Hilfe' }).waitFor();
    await ann.say('How do I make an agent, without code?');
    await page.getByRole('link', { name: 'Open it' }).last().waitFor();
    await helpPicture('start', page);
    await page.getByRole('link', { name: 'Open it' }).last().click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/settings/agents/new');
    await page.getByLabel('Name').waitFor();
    await helpPicture('agents', page);
    // The help opens beside the app.
    await page.goBack();
    const help = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'All of the help' }).last().click();
    const opened = await help;
    await opened.getByRole('heading', { name: 'Make an agent, without code' }).waitFor();
    expect(new URL(opened.url()).pathname + new URL(opened.url()).hash).toBe('/help/en#agent');
    await opened.close();
  });
});

inChromium('WEB-561: the settings, the palette and the empty chat with the guide lead to the help', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', small);
    const { page } = ann;
    const { api } = await ann.actor();
    const { id } = await api.startChat({ username: 'parley:guide' });
    await ann.open(id);
    await expect.poll(() => page.getByRole('link', { name: 'Help' }).getAttribute('href')).toBe('/help/en');
    await page.goto(`${stage.world.url}/settings/privacy`);
    await expect.poll(() => page.getByRole('link', { name: 'Help' }).getAttribute('href')).toBe('/help/en');
    await helpPicture('privacy', page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('help');
    await page.getByRole('option', { name: /^Help/ }).waitFor();
    await helpPicture('search', page);
    const help = page.waitForEvent('popup');
    await page.getByRole('option', { name: /^Help/ }).click();
    await (await help).getByRole('heading', { name: 'Help', exact: true }).waitFor();
  });
});

inChromium('WEB-562: whoever signs up where the house has an agent meets it first, and reads who pays', async () => {
  await withStage(
    async (stage) => {
      stage.world.providers.script(KEY, { chunks: ['Hello! ', 'What shall we do?'] });
      const ann = await stage.browser(small);
      const { page } = ann;
      await page.getByRole('button', { name: 'Create account' }).first().click();
      await page.getByLabel('Your name').fill('Ann');
      await page.getByLabel('Username').fill('ann');
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByRole('button', { name: 'Create account' }).last().click();
      await page
        .getByRole('link', { name: /Assistant/ })
        .first()
        .click();
      await page.getByText('paid by this server').waitFor();
      // A beginning is written into the composer, to be finished.
      await page.getByRole('button', { name: 'Make a plan for …' }).click();
      expect(await ann.composer.inputValue()).toBe('Make a plan for …');
      await ann.say('Hello');
      await ann.message('What shall we do?').waitFor();
      await helpPicture('chats', page);
    },
    { env: house },
  );
});

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;

inChromium('HELP-1, API-6: the help, also in Arabic, and the documents fit a phone; axe finds nothing', async () => {
  await withStage(async (stage) => {
    const { page } = await stage.browser(phone);
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    // The documents are rendered with the first request, which takes a while.
    await (await fetch(`${stage.world.url}/docs`)).text();
    for (const path of ['help/en', 'help/ar', 'docs']) {
      await page.goto(`${stage.world.url}/${path}`);
      await page.locator('h1').first().waitFor();
      expect(await fits(), path).toBe(true);
      if (path !== 'docs') expect(await findings(page), path).toEqual([]);
      await stage.picture(`${path.replace('/', '-')}-phone`, page);
    }
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents' }).click();
    await contents.waitFor();
    await stage.picture('docs-contents-phone', page);
    const wide = await stage.browser(small);
    await wide.page.goto(`${stage.world.url}/help/de`);
    await wide.page.locator('h1').waitFor();
    await stage.picture('help-de', wide.page);
    await wide.page.goto(`${stage.world.url}/docs`);
    await wide.page.getByRole('link', { name: 'sendMessage', exact: true }).first().waitFor();
    await stage.picture('docs', wide.page);
  });
});
