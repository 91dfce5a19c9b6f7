import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-19: a chat with a blocked person has no composer until they are unblocked', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ username: 'ann' });
    await bob.api.sendMessage({ chat_id, text: 'Buy this' });
    const { id: group } = await bob.api.startChat({ usernames: ['ann'], title: 'Market' });
    await (await ann.actor()).api.sendMessage({ chat_id: group, text: 'Nice' });
    const { page } = ann;
    const note = page.getByText('You blocked bob.');

    // Block from a group's member list.
    await ann.openChat('Market');
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    const more = page.getByRole('button', { name: 'More about bob' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Block' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByRole('complementary', { name: 'Details' }).getByText('blocked').waitFor();
    await stage.picture('blocked-member', page);

    await ann.chat('bob').click();
    await note.waitFor();
    await ann.composer.waitFor({ state: 'detached' });
    await stage.picture('blocked', page);
    // The note is still there after a reload.
    await page.reload();
    await note.waitFor();
    await page.getByRole('button', { name: 'Unblock' }).click();
    await note.waitFor({ state: 'detached' });
    await ann.say('Again then');

    // A block made on another device shows when the chat is opened.
    const { api } = await ann.actor();
    await api.blockUser({ username: 'bob' });
    await ann.chat('Market').click();
    await ann.chat('bob').click();
    await note.waitFor();
    await api.unblockUser({ username: 'bob' });
    await ann.chat('Market').click();
    await ann.chat('bob').click();
    await ann.composer.waitFor();
  });
});
