import { Actor } from '@parley/testing';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const password = 'correct horse battery staple';

inChromium(
  'WEB-498: a guest is offered nothing that guests may not do, and a search finds whom they know',
  async () => {
    await withStage(async (stage) => {
      const bob = await stage.person('bob');
      const ann = await stage.world.member('ann');
      const { id: chat_id } = await ann.api.startChat({ usernames: ['bob'], title: 'Team' });
      await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
      await stage.world.sql("UPDATE accounts SET role = 'guest' WHERE username = 'bob'");
      const { page } = bob;
      await page.reload();
      await expect.poll(async () => page.evaluate(() => localStorage.getItem('parley.is-guest'))).toBe('1');
      await page.getByRole('button', { name: 'New conversation' }).click();
      const dialog = page.getByRole('dialog', { name: 'New conversation' });
      await dialog.getByRole('button', { name: 'Saved messages' }).waitFor();
      for (const name of ['Make a group', 'New agent', 'Browse groups'])
        expect(await dialog.getByRole('button', { name }).count()).toBe(0);
      await dialog.getByRole('combobox').fill('nobody');
      await dialog.getByText('No one found for “nobody”').waitFor();
      await page.keyboard.press('Escape');
      await bob.chat('Team').click();
      await bob.composer.waitFor();
      for (const name of ['Invite people', 'Add an agent'])
        expect(await page.getByRole('button', { name }).count()).toBe(0);
      await page.goto(new URL('/settings/agents', page.url()).href);
      await page.getByRole('heading', { name: 'Your agents' }).waitFor();
      expect(await page.getByRole('button', { name: 'New agent' }).count()).toBe(0);
      // Whoever becomes a member is offered it all.
      await stage.world.sql("UPDATE accounts SET role = 'member' WHERE username = 'bob'");
      await page.reload();
      await expect.poll(async () => page.evaluate(() => localStorage.getItem('parley.is-guest'))).toBe(null);
    });
  },
);

inChromium(
  'ENTER-6, ENTER-7: a person whose account waits for approval sees so, and the app opens once it is approved',
  async () => {
    await withStage(async (stage) => {
      // Everything but getMe is refused to it.
      stage.watch.expect(/code: 403|status of 403/);
      const ann = await stage.world.member('ann');
      await stage.world.sql("UPDATE accounts SET role = 'owner' WHERE username = 'ann'");
      const { token } = await ann.api.createServiceInvite({ approval: true });
      const bob = await stage.browser();
      const { page } = bob;
      await page.goto(`${stage.world.url}/#invite=${token}`);
      await page.reload();
      await page.getByLabel('Your name').fill('Bob');
      await page.getByLabel('Username').fill('bob');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('Your account waits for approval').waitFor();
      await ann.api.approveAccount({ username: 'bob', approved: true });
      await bob.chats.waitFor({ timeout: 15_000 });
    });
  },
);

inChromium('ENTER-9: a link of an administrator leads to a page for a new password, which signs in; once', async () => {
  await withStage(async (stage) => {
    stage.watch.expect(/status of 404/);
    const ann = await stage.world.member('ann');
    await stage.world.member('bob');
    await stage.world.sql("UPDATE accounts SET role = 'owner' WHERE username = 'ann'");
    const { link } = await ann.api.resetPassword({ username: 'bob' });
    const { page } = await stage.browser();
    const address = new URL(link, stage.world.url).href;
    const set = async (secret: string) => {
      await page.goto(address);
      await page.reload();
      await page.getByLabel('New password').fill(secret);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await set('another horse battery');
    await page.getByText('Your password is changed').waitFor();
    await new Actor(stage.world, '', '').api.signIn({ username: 'bob', password: 'another horse battery' });
    await set('a third horse battery');
    await page.getByText('This link has expired or was used. Ask for a new one.').waitFor();
  });
});
