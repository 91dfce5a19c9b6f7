import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;

inChromium('the owner of a bot changes its name, description, picture and audience', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann', phone), stage.person('bob')]);
    const { page } = ann;
    const actor = await ann.actor();
    const bot = await stage.world.bot(actor, 'helper');
    const { id: chat_id } = await actor.api.startChat({ usernames: ['bob', bot.username], title: 'Plans' });
    await bot.api.sendMessage({ chat_id, text: 'at your service' });
    await bob.open(chat_id);
    await page.goto(`${stage.world.url}/settings/bots`);
    const card = page.getByRole('listitem').filter({ hasText: `@${bot.username}` });
    await card.getByText('Its name and picture').tap();
    await card.getByLabel('Name').fill(' ');
    await card.getByLabel('Name').press('Enter');
    await card.getByText('Enter a name so others recognize it.').waitFor();
    await card.getByLabel('Name').fill('Timetable');
    await card.getByLabel('Description').fill('Knows when trains leave');
    await card.getByRole('button', { name: 'Save' }).tap();
    await card.getByText('Saved').waitFor();
    await card.getByLabel('Picture').setInputFiles(smallPhoto('face.png'));
    await card.getByRole('button', { name: 'Change picture' }).waitFor();
    await stage.picture('bot-profile-phone', page);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const account = await actor.api.getUser({ username: bot.username });
    expect(account).toMatchObject({ display_name: 'Timetable', bio: 'Knows when trains leave' });
    // Everyone who sees it sees the change at once.
    const message = bob.message('at your service');
    await message.getByText('Timetable · ann').waitFor();
    await message.locator(`img[src="${account.avatar_url}"]`).waitFor();

    await card.getByText('Who may talk to it, and how much').tap();
    expect(await card.getByRole('radio', { name: 'People in its groups' }).isChecked()).toBe(true);
    await card.getByRole('radio', { name: 'Everyone' }).check();
    await card.getByText('Anyone here can find it and start a chat with it.').waitFor();
    await expect.poll(async () => (await actor.api.getAgent({ username: bot.username })).visibility).toBe('public');
    await card.getByText('public').first().waitFor();
    await card.getByRole('button', { name: 'Remove', exact: true }).tap();
    await message.locator('img').waitFor({ state: 'detached' });
  });
});
