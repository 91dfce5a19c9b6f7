import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-67, WEB-83: keys typed after Ctrl+K go to the palette even while its script loads', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
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

inChromium('typing a name and pressing Enter twice opens a direct chat', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    await stage.world.member('bob');
    const { page } = ann;
    await page.getByRole('button', { name: 'New conversation' }).click();
    const search = page.getByRole('combobox', { name: 'Search people and agents by name' });
    await search.fill('bob');
    await page.getByRole('option').filter({ hasText: 'bob' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Selected' }).waitFor();
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

inChromium('the palette and Forward find a conversation that the page has not loaded, each once', async () => {
  await withStage(
    async (stage) => {
      const { api } = await (await stage.person('ann')).actor();
      const old = await api.startChat({ usernames: [], title: 'Harbour walk' });
      await api.startChat({ usernames: [], title: 'Harbour' });
      await Promise.all(Array.from({ length: 110 }, (_, at) => api.startChat({ usernames: [], title: `Plan ${at}` })));
      const { id: newest } = await api.startChat({ usernames: [], title: 'Walk in the harbour' });
      // A browser that has kept nothing.
      const ann = await stage.browser();
      const { page } = ann;
      // The list never gets further than its first page, over HTTP or the socket.
      await page.route('**/api/getChats', async (route) => {
        if (route.request().postData()?.includes('"cursor"') !== true) await route.continue();
      });
      await page.routeWebSocket(/.*/, (socket) => {
        const service = socket.connectToServer();
        socket.onMessage((frame) => {
          if (!/"getChats".*"cursor"/s.test(String(frame))) service.send(frame);
        });
      });
      await ann.signIn('ann');
      await ann.chats.waitFor();
      await ann.open(newest);
      await ann.say('worth keeping');
      expect(await ann.chat('Harbour walk').count()).toBe(0);
      await page.keyboard.press('Control+k');
      const search = page.getByRole('combobox', { name: 'Search' });
      await search.fill('harbour');
      const found = page.getByRole('group', { name: 'Conversations' }).getByRole('option');
      await expect.poll(async () => found.allInnerTexts()).toEqual(['Harbour', 'Harbour walk', 'Walk in the harbour']);
      await stage.picture('palette-found', page);
      await search.fill('no such thing');
      await page.getByText('Nothing found for “no such thing”.').waitFor();
      await search.fill('harbour walk');
      await page.getByRole('option', { name: 'Harbour walk' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Harbour walk' }).waitFor();
      expect(page.url()).toContain(old.id);

      await ann.open(newest);
      await ann.choose(ann.message('worth keeping'), 'Forward');
      const dialog = page.getByRole('dialog', { name: 'Forward to' });
      await dialog.getByRole('searchbox').fill('harbour walk');
      await dialog.getByRole('checkbox', { name: 'Harbour walk' }).waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).toContain(old.id);
    },
    { env: { RATE_LIMITS: '0' } },
  );
});

inChromium('commands of the palette act, and are offered only for a typed text', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    await stage.world.member('bob');
    const { page } = ann;
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    await ann.open(chat_id);
    const search = page.getByRole('combobox', { name: 'Search' });
    const run = async (typed: string, title: string, group = 'Actions') => {
      await page.keyboard.press('Control+k');
      await search.fill(typed);
      await page.getByRole('group', { name: group }).getByRole('option', { name: title }).click();
      await search.waitFor({ state: 'detached' });
    };
    await page.keyboard.press('Control+k');
    await page.getByRole('group', { name: 'Latest' }).waitFor();
    expect(await page.getByRole('group', { name: 'Actions' }).count()).toBe(0);
    await page.keyboard.press('Escape');

    await run('dark on', 'Turn on dark mode');
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await run('theme', 'Dark mode like the system');
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBeUndefined();
    await run('mute', 'Mute this conversation');
    expect(await api.getChat({ chat_id })).toMatchObject({ is_muted: true });
    await run('mute', 'Unmute this conversation');
    expect(await api.getChat({ chat_id })).toMatchObject({ is_muted: false });

    await run('shortcuts', 'Keyboard shortcuts', 'Help');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await run('new group', 'New group');
    const picker = page.getByRole('combobox', { name: 'Search people and agents by name' });
    await expect.poll(async () => picker.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await run('saved', 'Saved messages');
    await page.getByRole('heading', { name: 'Saved messages' }).waitFor();
    await run('preferences', 'Settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await run('log out', 'Sign out');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });
});
