import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('the app shows who is online, in the list, the header and the group', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    const bob = await stage.world.member('bob');
    const bot = await stage.world.bot(bob, 'helper');
    await bob.api.setBotConfig({ username: bot.username, is_public: true });
    const { id: direct } = await bob.api.startChat({ username: 'ann' });
    const { id: group } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    await api.startChat({ username: bot.username });
    const socket = await bob.socket();
    await ann.open(direct);
    const header = page.locator('main header').first();
    const withBob = ann.chats.locator(`[data-chat='${direct}']`);
    await header.getByText('online', { exact: true }).waitFor();
    await withBob.getByRole('img', { name: 'Online' }).waitFor();
    await ann.chat('helper').getByRole('img', { name: 'Not running' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await stage.picture('presence-light', page);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findings(page, ['color-contrast'])).toEqual([]);
    await stage.picture('presence-dark', page);

    await ann.open(group);
    await page.getByRole('button', { name: 'Details' }).click();
    const member = page.getByRole('listitem').filter({ hasText: '@bob' });
    await member.getByRole('img', { name: 'Online' }).waitFor();
    await stage.picture('presence-members', page);

    // The change arrives by itself.
    await ann.open(direct);
    await header.getByText('online', { exact: true }).waitFor();
    await socket.close();
    await header.getByText('last seen just now').waitFor();
    await withBob.getByRole('img', { name: 'Online' }).waitFor({ state: 'detached' });

    await bob.socket();
    await header.getByText('online', { exact: true }).waitFor();
    await page.goto(new URL('/settings/privacy', page.url()).href);
    await page.getByRole('switch', { name: 'When you’re online' }).click();
    await expect.poll(async () => (await api.getPrivacy()).last_seen).toBe(false);
    await stage.picture('presence-setting', page);
    await ann.open(direct);
    await header.getByText('@bob').waitFor();
    expect(await withBob.getByRole('img', { name: 'Online' }).count()).toBe(0);
  });
});

inChromium('on a phone the header says when the other person was last seen', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const ann = await stage.person('ann', phone);
    const bob = await stage.world.member('bob');
    const { id } = await bob.api.startChat({ username: 'ann' });
    await ann.open(id);
    await ann.page.locator('main header').first().getByText('last seen just now').waitFor();
    await stage.picture('presence-phone', ann.page);
  });
});

inChromium('WEB-401: the header says that an agent could not be reached, until the next message', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const agent = await ann.agent('sk-presence');
    stage.world.providers.script('sk-presence', { status: 401 });
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: agent });
    await ann.open(chat_id);
    const header = ann.page.locator('main header').first();
    await header.getByText(`agent · @${agent}`).waitFor();
    await ann.composer.fill('Are you there?');
    await ann.composer.press('Enter');
    await header.getByText('agent · couldn’t be reached just now').waitFor();
    stage.world.providers.script('sk-presence', { chunks: ['Yes.'] });
    await ann.composer.fill('And now?');
    await ann.composer.press('Enter');
    await ann.message('Yes.').waitFor();
    await header.getByText(`agent · @${agent}`).waitFor();
  });
});
