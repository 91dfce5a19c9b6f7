import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withShop } from './widget-stage.ts';

inChromium(
  'WIDGET-1: a visitor of another site opens the chat, asks an agent and reads its reply as it comes',
  async () => {
    await withShop(async ({ stage, agent, visit }) => {
      const ann = await visit();
      expect(await ann.button.getAttribute('aria-label')).toBe('Open chat');
      await ann.open();
      await ann.frame.getByRole('heading', { name: 'helper' }).waitFor();
      await ann.say('Do you have a red one?');
      const [chat] = (await agent.api.getChats()).items;
      const { id: message_id } = await agent.api.startMessageStream({ chat_id: chat?.id ?? '' });
      await agent.api.appendMessageStream({ message_id, delta: 'Yes, in ', offset: 8 });
      await ann.message('Yes, in').waitFor();
      await agent.api.appendMessageStream({ message_id, delta: 'three sizes.', offset: 20 });
      await ann.message('Yes, in three sizes.').waitFor();
      await stage.picture('widget', ann.page);
      await agent.api.finishMessageStream({ message_id });
      await ann.message('Yes, in three sizes.').and(ann.frame.locator('[data-status=complete]')).waitFor();
      // The page's styles and its names are its own.
      expect(await ann.button.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('0px');
      expect(await ann.page.evaluate(() => Object.keys(window).filter((name) => /parley/i.test(name)))).toEqual([
        'parleyToken',
        'Parley',
      ]);
    });
  },
);

inChromium('WIDGET-15: an agent has its name alone, without its owner', async () => {
  await withShop(async ({ agent, visit }) => {
    await agent.socket();
    const ann = await visit();
    await ann.open();
    await ann.frame.getByText('agent', { exact: true }).first().waitFor();
    await ann.say('Hello');
    const [chat] = (await agent.api.getChats()).items;
    await agent.api.sendMessage({ chat_id: chat?.id ?? '', text: 'Good morning' });
    await ann.message('Good morning').waitFor();
    expect(await ann.frame.locator('body').innerText()).not.toContain('owner');
  });
});

inChromium(
  'WIDGET-6: the chat is a conversation by its id, or the direct chat with an agent by its username',
  async () => {
    await withShop(async ({ stage, site, backend, owner, agent, visit }) => {
      const { id: chat_id } = await owner.api.startChat({ usernames: [], title: 'Support' });
      site.token = () => backend.createToken('bob', { chat_ids: [chat_id] });
      const bob = await visit({ chat: chat_id });
      await bob.open();
      await bob.frame.getByRole('heading', { name: 'Support' }).waitFor();
      await bob.say('Hello, team');
      const { items } = await owner.api.getChatHistory({ chat_id });
      expect(items.at(-1)?.content).toBe('Hello, team');
      // Bob has no chat with the agent, and is not in a conversation with this id.
      for (const chat of [agent.username, '01890000-0000-7000-8000-000000000000']) {
        const lost = await visit({ chat });
        // The service says so to a call that the page makes.
        stage.watch.expect(/status of 404/);
        await lost.button.click();
        await lost.frame.getByText('You’re not in this conversation, or it was deleted.').waitFor();
      }
    });
  },
);

inChromium(
  'WIDGET-7: the button counts unread messages while the chat is closed; only an open chat is read',
  async () => {
    await withShop(async ({ stage, agent, backend, visit }) => {
      const ann = await visit();
      const badge = ann.page.locator('button > span');
      await ann.open();
      await ann.say('Call me back');
      await ann.button.click();
      await ann.composer.waitFor({ state: 'detached' });
      const [chat] = (await agent.api.getChats()).items;
      const chat_id = chat?.id ?? '';
      await agent.api.sendMessage({ chat_id, text: 'One moment' });
      await ann.page.getByRole('button', { name: 'Open chat, 1 unread message', exact: true }).waitFor();
      await agent.api.sendMessage({ chat_id, text: 'Here I am' });
      await ann.page.getByRole('button', { name: 'Open chat, 2 unread messages' }).waitFor();
      expect(await badge.innerText()).toBe('2');
      await stage.picture('widget-badge', ann.page);
      await ann.open();
      await ann.message('Here I am').waitFor();
      await ann.page.getByRole('button', { name: 'Close chat', exact: true }).first().waitFor();
      expect(await badge.isVisible()).toBe(false);
      const reader = await backend.user('ann', { display_name: 'Ann' });
      await expect.poll(async () => (await reader.api.getChat({ chat_id })).unread_count).toBe(0);
      await ann.button.click();
      await expect.poll(async () => ann.button.getAttribute('aria-label')).toBe('Open chat');
    });
  },
);

inChromium('WIDGET-8: the keyboard opens and closes the chat; the focus goes into it and comes back', async () => {
  await withShop(async ({ agent, visit }) => {
    const ann = await visit();
    const { page } = ann;
    await page.getByRole('button', { name: 'Buy' }).focus();
    await ann.button.waitFor();
    await page.keyboard.press('Tab');
    expect(await ann.button.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
    await page.keyboard.press('Enter');
    await ann.composer.waitFor();
    await expect.poll(async () => ann.composer.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await ann.button.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.type('A question');
    await page.keyboard.press('Enter');
    await ann.message('A question').waitFor();

    // Escape first stops the reply that the visitor asked for, and closes a thread, a menu or a dialog.
    const [chat] = (await agent.api.getChats()).items;
    const { items } = await agent.api.getChatHistory({ chat_id: chat?.id ?? '' });
    const bot = await agent.socket();
    const { id } = await agent.api.startMessageStream({
      chat_id: chat?.id ?? '',
      reply_to_message_id: items.at(-1)?.id,
    });
    await ann.frame.locator(`[data-message="${id}"]`).waitFor();
    await page.keyboard.press('Escape');
    await bot.event('cancelRun', ({ message_id }) => message_id === id);
    await agent.api.finishMessageStream({ message_id: id });
    await ann.message('A question').hover();
    await ann.message('A question').getByRole('button', { name: 'More' }).click();
    await ann.frame.getByRole('menuitem', { name: 'Reply in thread' }).click();
    await ann.frame.getByRole('heading', { name: 'Thread' }).waitFor();
    await ann.frame.getByLabel('Reply in thread').press('Escape');
    await ann.frame.getByRole('heading', { name: 'Thread' }).waitFor({ state: 'detached' });
    await expect.poll(async () => ann.composer.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await ann.button.getAttribute('aria-expanded')).toBe('true');

    await page.keyboard.press('Escape');
    await ann.composer.waitFor({ state: 'detached' });
    await expect.poll(async () => ann.button.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await ann.composer.waitFor();
    await ann.frame.getByRole('button', { name: 'Close chat' }).click();
    await ann.composer.waitFor({ state: 'detached' });
    await ann.open();
    await ann.button.focus();
    await page.keyboard.press('Escape');
    await ann.composer.waitFor({ state: 'detached' });
  });
});

inChromium(
  'WIDGET-8: the page opens, closes and removes the widget; a second script takes the place of the first',
  async () => {
    await withShop(async ({ stage, site, agent, visit }) => {
      const ann = await visit();
      await ann.button.waitFor();
      await ann.page.evaluate(() => window.Parley?.open());
      await ann.composer.waitFor();
      await ann.page.evaluate(() => window.Parley?.close());
      await ann.composer.waitFor({ state: 'detached' });
      // Before there is a button: the wish is kept until close() takes it back.
      const wish = async (...steps: ('open' | 'close')[]) => {
        const token = Promise.withResolvers<void>();
        const { token: give, asked } = site;
        site.token = async () => {
          await token.promise;
          return give();
        };
        await ann.page.reload();
        await expect.poll(() => site.asked).toBe(asked + 1);
        await ann.page.evaluate((names) => names.forEach((name) => window.Parley?.[name]()), steps);
        token.resolve();
        site.token = give;
        await ann.button.waitFor();
      };
      await wish('open');
      await ann.composer.waitFor();
      await wish('open', 'close');
      expect(await ann.button.getAttribute('aria-expanded')).toBe('false');
      const src = `${stage.world.url}/widget.js`;
      await ann.page.evaluate(
        ({ address, chat }) => {
          const script = document.createElement('script');
          script.src = address;
          script.dataset['chat'] = chat;
          document.head.append(script);
        },
        { address: src, chat: agent.username },
      );
      await expect.poll(async () => ann.page.frames().length).toBe(2);
      await ann.open();
      expect(await ann.button.count()).toBe(1);
      await ann.page.evaluate(() => window.Parley?.remove());
      await ann.button.waitFor({ state: 'detached' });
      expect(await ann.page.evaluate(() => window.Parley)).toBeUndefined();
      expect(ann.page.frames()).toHaveLength(1);
    });
  },
);

inChromium('WIDGET-1: a photo opens over the chat, is found in it and closes', async () => {
  await withShop(async ({ stage, agent, visit }) => {
    const ann = await visit();
    await ann.open();
    await ann.say('Do you have a photo?');
    const [chat] = (await agent.api.getChats()).items;
    const file = new File([Uint8Array.from(smallPhoto('red.png', 40).buffer)], 'red.png');
    const { id } = await agent.api.uploadFile({ file });
    await agent.api.sendMessage({ chat_id: chat?.id ?? '', text: 'Here it is', attachments: [{ id }] });
    const viewer = ann.frame.getByRole('dialog', { name: 'red.png' });
    const photo = ann.frame.getByRole('button', { name: 'Show red.png' });
    await photo.click();
    await viewer.waitFor();
    await stage.picture('widget-photo', ann.page);
    await viewer.getByRole('button', { name: 'Show in chat' }).click();
    await viewer.waitFor({ state: 'detached' });
    await photo.click();
    await viewer.getByRole('button', { name: 'Close', exact: true }).click();
    await viewer.waitFor({ state: 'detached' });
    await ann.say('Thank you');
  });
});

inChromium('WIDGET-8: a frame that is loaded again while the panel is open shows the chat', async () => {
  await withShop(async ({ visit }) => {
    const ann = await visit();
    await ann.open();
    await ann.say('Hello');
    await (await ann.document()).evaluate(() => location.reload());
    await ann.message('Hello').waitFor();
    await ann.say('Still here');
    await ann.frame.getByRole('button', { name: 'Close chat' }).click();
    await ann.composer.waitFor({ state: 'detached' });
  });
});
