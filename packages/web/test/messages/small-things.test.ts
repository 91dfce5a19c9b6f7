import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('a reply that was cut off by a limit goes on when its asker presses Continue', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const agent = await ann.agent('key');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: ['bob', agent], title: 'Plans' });
    await Promise.all([ann.open(chat_id), bob.open(chat_id)]);
    const first = stage.world.providers.steer('key');
    await ann.say(`@${agent} tell me`);
    await first.started;
    first.text('Once upon');
    first.end('max_tokens');
    const buttonOf = (person: typeof ann) => person.message('Once upon').getByRole('button', { name: 'Continue' });
    await buttonOf(ann).waitFor();
    await bob.message('Once upon').getByText('This reply reached its maximum length.').waitFor();
    expect(await buttonOf(bob).count()).toBe(0);

    const more = stage.world.providers.steer('key');
    await buttonOf(ann).click();
    await more.started;
    for (const person of [ann, bob]) {
      await person.message('Once upon').getByRole('button', { name: 'Stop', exact: true }).waitFor();
      expect(await buttonOf(person).count()).toBe(0);
    }
    more.text(' a time');
    await bob.message('Once upon a time').waitFor();
    more.end();
    for (const person of [ann, bob]) {
      await person.message('Once upon a time').and(person.page.locator('[data-status=complete]')).waitFor();
      expect(await person.page.locator('[data-message]').count()).toBe(2);
      expect(await buttonOf(person).count()).toBe(0);
    }
  });
});

inChromium('only the person who asked for a reply is offered to retry it', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const agent = await ann.agent('key');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: ['bob', agent], title: 'Plans' });
    const bot = await stage.world.bot(await ann.actor(), 'helper');
    await api.addGroupAgent({ chat_id, agent_username: bot.username });
    await api.setGroupAgentMode({ chat_id, agent_username: agent, always_on: false });
    const reply = stage.world.providers.steer('key');
    await Promise.all([ann.open(chat_id), bob.open(chat_id)]);
    await bob.say('before');
    await ann.say(`@${agent} tell me`);
    await reply.started;
    reply.text('Half a');
    await ann.message('Half a').getByRole('button', { name: 'Stop', exact: true }).click();
    await reply.aborted;
    const again = ann.message('Half a').getByRole('button', { name: 'Answer again' });
    await again.waitFor();
    await bob.message('Half a').getByText('Stopped.').waitFor();
    expect(await bob.message('Half a').getByRole('button', { name: 'Answer again' }).count()).toBe(0);

    // The menus offer the same.
    const isInMenu = async (person: typeof ann, text: string) => {
      await person.message(text).hover();
      await person.message(text).getByRole('button', { name: 'More' }).click();
      await person.page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
      const count = await person.page.getByRole('menuitem', { name: 'Answer again' }).count();
      await person.page.keyboard.press('Escape');
      await person.page.getByRole('menu').waitFor({ state: 'detached' });
      return count === 1;
    };
    expect([await isInMenu(ann, 'Half a'), await isInMenu(bob, 'Half a')]).toEqual([true, false]);

    // Replies of bots cannot be retried.
    const { id } = await bot.api.startMessageStream({ chat_id });
    await bot.api.appendMessageStream({ message_id: id, delta: 'A bot', offset: 5 });
    await bot.api.finishMessageStream({ message_id: id, status: 'failed' });
    await ann.message('A bot').getByText('The bot couldn’t finish this reply. Ask again.').waitFor();
    expect(await ann.message('A bot').getByRole('button', { name: 'Answer again' }).count()).toBe(0);

    // During a retry no second one is offered.
    const second = stage.world.providers.steer('key');
    await again.click();
    await second.started;
    await again.waitFor({ state: 'detached' });
    second.text('A whole answer');
    second.end();
    const whole = ann.message('A whole answer').and(ann.page.locator('[data-status=complete]'));
    await whole.getByRole('button', { name: 'Previous version' }).click();
    await again.waitFor();
    // Without the message it replied to there is no retry.
    const { items } = await api.getChatHistory({ chat_id });
    const asked = items.find(({ content }) => content.endsWith('tell me'));
    await api.deleteMessages({ message_ids: [asked?.id ?? ''] });
    await again.waitFor({ state: 'detached' });
  });
});

inChromium('a mention shows the display name; copying yields the original text', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('carla')]);
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann', 'carla'], title: 'Plans' });
    const text = 'Does @ann know, or @carla, or @nobody?';
    await bob.api.sendMessage({ chat_id, text });
    await ann.open(chat_id);
    const message = ann.message('Does');
    const mention = message.getByRole('button', { name: '@Carla', exact: true });
    await mention.waitFor();
    expect(await mention.getAttribute('title')).toBe('@carla');
    expect(await message.getByTitle('@ann').evaluate((one) => getComputedStyle(one, '::before').content)).toBe(
      '"@Ann"',
    );
    const copied = await message.locator('[data-text]').evaluate((element) => {
      getSelection()?.selectAllChildren(element);
      return getSelection()?.toString();
    });
    expect(copied?.trim()).toBe(text);
    await stage.picture('mentions', ann.page);
  });
});

inChromium('Forward lists saved messages first', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    await ann.open(chat_id);
    await ann.say('worth keeping');
    const dialog = ann.page.getByRole('dialog', { name: 'Forward to' });
    // The first time, saved messages do not exist yet.
    for (const count of [1, 2]) {
      await ann.open(chat_id);
      await ann.choose(ann.message('worth keeping'), 'Forward');
      const first = dialog.getByRole('checkbox').first();
      expect((await first.innerText()).trim()).toBe('Saved messages');
      await first.click();
      await dialog.getByRole('button', { name: 'Forward', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(async () => ann.message('worth keeping').count()).toBe(count);
      await ann.page.getByRole('heading', { name: 'Saved messages' }).waitFor();
    }
  });
});

inChromium('an emoji is found by its common name and chosen with Enter', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    await ann.open(chat_id);
    const pick = async (search: string, ...keys: string[]) => {
      await ann.page.getByRole('button', { name: 'Emoji' }).click();
      const field = ann.page.getByRole('combobox', { name: 'Search emoji' });
      await field.fill(search);
      await ann.page.getByRole('option').first().waitFor();
      for (const key of [...keys, 'Enter']) await field.press(key);
      await field.waitFor({ state: 'detached' });
    };
    await pick('heart');
    await pick('thumb');
    await pick('thumb', 'ArrowRight');
    await expect.poll(async () => ann.composer.inputValue()).toBe('❤️👍👎');
    await ann.page.getByRole('button', { name: 'Emoji' }).click();
    await ann.page.getByRole('combobox', { name: 'Search emoji' }).fill('no such thing');
    await ann.page.getByText('No emoji found. Try another word.').waitFor();
  });
});

inChromium(
  'the numbers of a list stand at the right of text that runs from right to left, and are not cut off',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ username: 'ann' });
      const text = '1. خذ القطار\n2. انزل في برن\n   - المخرج الأيمن\n3. then walk\n\n- [ ] تذكرة\n- [x] ticket';
      await api.sendMessage({ chat_id, text });
      await ann.open(chat_id);
      const message = ann.message('then walk');
      await message.waitFor();
      await stage.picture('lists-right-to-left', ann.page);
      const room = await message
        .locator('[data-text] ol')
        .first()
        .evaluate((list) => {
          const outer = list.getBoundingClientRect();
          return [...list.querySelectorAll(':scope > li')].map((item) => {
            const { left, right } = item.getBoundingClientRect();
            return { before: left - outer.left >= 20, after: outer.right - right >= 20 };
          });
        });
      expect(room).toEqual([
        { before: false, after: true },
        { before: false, after: true },
        { before: true, after: false },
      ]);
      // A box to tick stands there too.
      const tick = await message.getByText('تذكرة').evaluate((text) => {
        const box = text.closest('li')?.querySelector('input')?.getBoundingClientRect();
        return (box?.left ?? 0) > text.getBoundingClientRect().left;
      });
      expect(tick).toBe(true);
    });
  },
);

inChromium('the open conversation keeps its colour under the mouse', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    await api.startChat({ username: 'bob' });
    await ann.openChat('Bob');
    const colour = async () => ann.chat('Bob').evaluate((row) => getComputedStyle(row).backgroundColor);
    await ann.composer.hover();
    const open = await colour();
    await ann.chat('Bob').hover();
    expect(await colour()).toBe(open);
  });
});
