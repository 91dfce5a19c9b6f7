import { createApi } from '@parley/client';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-98: after a password change the user can replace bot tokens and revoke invites', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')];
    const [annsApi, bobsApi] = [(await ann.actor()).api, (await bob.actor()).api];
    const bot = await stage.world.bot(await ann.actor(), 'helper');
    const { id: chat_id } = await annsApi.startChat({ usernames: ['bob'], title: 'Plans' });
    await annsApi.createInvite({ chat_id });
    // Ann does not manage this group: its invites are not offered.
    const { id: other } = await bobsApi.startChat({ usernames: ['ann'], title: 'Bob’s group' });
    await bobsApi.createInvite({ chat_id: other });
    await stage.world.sql('UPDATE sessions SET created_at = created_at - 1000000');

    const { page } = ann;
    await page.goto(`${stage.world.url}/settings/profile`);
    await page.getByLabel('Current password').fill('correct horse battery staple');
    await page.getByLabel('New password').fill('a wholly new staple');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('button', { name: 'Replace the token of your bot' }).click();
    const shown = page.getByLabel('Token of ann:helper');
    await shown.waitFor();
    await stage.picture('other-ways-in', page);
    await expect(bot.api.getMe()).rejects.toMatchObject({ code: 'unauthenticated' });
    const replaced = createApi({ url: stage.world.url, token: await shown.inputValue() });
    expect(await replaced.getMe()).toMatchObject({ username: 'ann:helper' });

    await page.getByRole('button', { name: 'Revoke the invite link to your group' }).click();
    await page.getByText('Invite links revoked.').waitFor();
    expect((await annsApi.getInvites({ chat_id })).items).toEqual([]);
    expect((await bobsApi.getInvites({ chat_id: other })).items).toHaveLength(1);
  });
});
