import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-67, WEB-83: keys typed after Ctrl+K go to the palette even while its script loads', async () => {
  await withStage(async (stage) => {
    // No service worker: it would answer the requests that this test delays.
    const ann = await stage.person('ann', { serviceWorkers: 'block' });
    const { page } = ann;
    await stage.world.member('bob');
    await stage.world.member('carol');
    const { api } = await ann.actor();
    await api.startChat({ username: 'carol' });
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    let load = (): void => undefined;
    const isWanted = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route(/palette-dialog/, async (route) => {
      await isWanted;
      await route.continue();
    });
    await ann.open(chat_id);
    await ann.composer.click();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('caroX');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    // Pasted text goes there too.
    await ann.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(async () => navigator.clipboard.writeText('l\nY'));
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    load();
    const search = page.getByRole('combobox', { name: 'Search' });
    await search.waitFor();
    expect(await search.inputValue()).toBe('caro');
    await page.keyboard.type('l');
    await expect.poll(async () => search.inputValue()).toBe('carol');
    expect(await ann.composer.inputValue()).toBe('');
    expect(await ann.messages.count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'carol' }).waitFor();
    await expect.poll(async () => ann.composer.evaluate((one) => one === document.activeElement)).toBe(true);

    // The same with the button.
    await page.getByRole('button', { name: /^Search/ }).click();
    await search.fill('bob');
    await page.getByRole('option').filter({ hasText: 'bob' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'bob' }).waitFor();
    await expect.poll(async () => ann.composer.evaluate((one) => one === document.activeElement)).toBe(true);
  });
});

inChromium('WEB-81: typing a name and pressing Enter twice opens a direct chat', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    await stage.world.member('bob');
    const { page } = ann;
    await page.getByRole('button', { name: 'New conversation' }).click();
    const search = page.getByRole('combobox', { name: 'Search people and agents by name' });
    await search.fill('bob');
    await page.getByRole('option').filter({ hasText: 'bob' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Picked' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'bob' }).waitFor();
    const { items } = await (await ann.actor()).api.getChats({});
    expect(items.filter(({ kind }) => kind === 'group')).toEqual([]);
  });
});

inChromium('WEB-83: "Set a new one" moves the focus to the key field', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    await ann.agent('key');
    const { page } = ann;
    await page.goto(`${stage.world.url}/settings/agents`);
    await page.getByRole('button', { name: 'Set a new one' }).first().click();
    await page.keyboard.type('sk-new');
    expect(await page.getByLabel('New Anthropic API key').inputValue()).toBe('sk-new');
  });
});
