import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-473: nobody is offered a chat with somebody else’s private agent; what fails says why', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    for (const [slug, visibility] of [
      ['tutor', 'private'],
      ['coach', 'groups'],
    ] as const) {
      const display_name = slug === 'tutor' ? 'Quiet tutor' : 'Quiet coach';
      await bob.api.createAgent({ slug, provider: 'provider_a', display_name, visibility });
      await bob.api.addGroupAgent({ chat_id, agent_username: `bob:${slug}` });
    }
    await bob.api.sendMessage({ chat_id, text: 'Meet `them`: @bob:tutor and @bob:coach, says @bob' });
    const { page } = ann;
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    page.on('websocket', (socket) =>
      socket
        .on('framereceived', ({ payload }) => {
          if (String(payload).includes('"visibility":"private"')) resolve();
        })
        .on('framesent', ({ payload }) => {
          if (String(payload).includes('"getAgent"')) asked += 1;
        }),
    );
    await ann.open(chat_id);
    const message = ann.message('Meet');
    const menuOf = async (username: string) => {
      await message.getByTitle(`@${username}`, { exact: true }).click();
      await page.getByRole('menuitem', { name: 'Copy username' }).waitFor();
    };
    const chatWith = (name: string) => page.getByRole('menuitem', { name: `Message ${name}` });
    await menuOf('bob:coach');
    await chatWith('Quiet coach').waitFor();
    await page.keyboard.press('Escape');
    await menuOf('bob:tutor');
    await answered;
    expect(await chatWith('Quiet tutor').count()).toBe(0);
    await page.keyboard.press('Escape');

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('quiet');
    // Messages that name them may be found as well.
    const person = (username: string) => page.locator(`[role=option][id$="-person ${username}"]`);
    await person('bob:coach').waitFor();
    expect(await person('bob:tutor').count()).toBe(0);
    // The menus asked about both agents; the search does not ask again.
    expect(asked).toBe(2);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');

    await menuOf('bob');
    await bob.api.blockUser({ username: 'ann' });
    await chatWith('Bob').click();
    await message.getByRole('alert').filter({ hasText: 'You can’t start a conversation with this person.' }).waitFor();
  });
});
