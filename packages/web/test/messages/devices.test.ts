import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'WEB-6: a draft appears in the other tab while it is typed, and is cleared in both when it is sent',
  async () => {
    await withStage(async (stage) => {
      const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ username: 'bob' });
      await ann.open(chat_id);
      const tab = await ann.tab();
      await ann.composer.pressSequentially('half a thou');
      await expect.poll(async () => tab.composer.inputValue()).toBe('half a thou');
      await tab.composer.press('End');
      await tab.composer.pressSequentially('ght');
      await expect.poll(async () => ann.composer.inputValue()).toBe('half a thought');
      // A tab without an open conversation shows it in the list.
      await tab.page.goto(stage.world.url);
      await tab.chat('Bob').getByText('Draft: half a thought').waitFor();
      await ann.composer.press('Enter');
      await expect.poll(async () => tab.chat('Bob').innerText()).not.toContain('Draft');
      await tab.openChat('Bob');
      await tab.message('half a thought').waitFor();
      expect(await tab.composer.inputValue()).toBe('');
    });
  },
);

inChromium(
  'WEB-310: a draft of a thread appears in the other tab, and is cleared in both when it is sent',
  async () => {
    await withStage(async (stage) => {
      const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ username: 'bob' });
      await api.sendMessage({ chat_id, text: 'a root' });
      const tab = await ann.tab();
      const threadIn = async (person: typeof ann) => {
        await person.open(chat_id);
        await person.choose(person.message('a root'), 'Reply in thread');
        return person.page.locator('[data-composer=thread] textarea');
      };
      const [here, there] = [await threadIn(ann), await threadIn(tab)];
      await here.pressSequentially('half a thought');
      await expect.poll(async () => there.inputValue()).toBe('half a thought');
      expect(await tab.composer.inputValue()).toBe('');
      await here.press('Enter');
      await expect.poll(async () => there.inputValue()).toBe('');
      await expect.poll(async () => here.inputValue()).toBe('');
      expect((await api.getDrafts({ timelines: true })).items).toEqual([]);
    });
  },
);

inChromium('WEB-6: reading in one browser clears the unread count in the other', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const other = await stage.browser();
    await other.signIn('bob');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    for (const text of ['one', 'two', 'three']) await api.sendMessage({ chat_id, text });
    for (const person of [bob, other]) {
      await person.chat('Ann').getByLabel('3 unread').waitFor();
      await expect.poll(async () => person.page.title()).toBe('(3) Parley');
    }
    await stage.picture('unread', bob.page);
    await bob.openChat('Ann');
    for (const person of [bob, other]) {
      await person.chat('Ann').getByLabel('unread').waitFor({ state: 'detached' });
      await expect.poll(async () => person.page.title()).toBe('Parley');
    }
    // A page in the background marks nothing as read: new messages get the "New messages" line.
    await bob.page.goto(stage.world.url);
    await api.sendMessage({ chat_id, text: 'four' });
    await bob.chat('Ann').getByLabel('1 unread').waitFor();
    await bob.openChat('Ann');
    await bob.page.locator('[data-first-unread]').waitFor();
    await other.chat('Ann').getByLabel('unread').waitFor({ state: 'detached' });
  });
});
