import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('an owner turns the following of threads on; in a thread the agent can be dismissed', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const actor = await ann.actor();
    const { id: chat_id } = await actor.api.startChat({ usernames: ['bob'], title: 'Plans' });
    const bot = await stage.world.bot(actor, 'helper');
    await actor.api.addGroupAgent({ chat_id, agent_username: bot.username });
    await ann.open(chat_id);
    await ann.page.getByRole('button', { name: 'Details' }).click();
    const row = ann.page.locator('li', { hasText: '@ann:helper' }).last();
    const choose = async (item: string) => {
      await row.getByRole('button', { name: 'More about helper' }).click();
      await ann.page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Follow threads it is asked in');
    await row.getByText('follows threads').waitFor();
    expect((await actor.api.getGroupAgents({ chat_id })).items).toMatchObject([
      { always_on: false, follows_threads: true },
    ]);

    const { id: thread_root_id } = await actor.api.sendMessage({ chat_id, text: 'the root' });
    await actor.api.sendMessage({ chat_id, text: '@ann:helper hello', thread_root_id });
    await bob.open(chat_id);
    await bob.choose(bob.message('the root'), 'Reply in thread');
    const thread = bob.page.locator('[data-composer=thread]');
    const line = thread.locator('[data-who]');
    await thread.locator('textarea').fill('and then?');
    await expect.poll(async () => line.innerText()).toContain('helper · ann answers, paid by Ann');
    await stage.picture('following', bob.page);
    await line.getByRole('button', { name: 'Dismiss helper · ann from this thread' }).click();
    await expect.poll(async () => line.innerText()).toBe('');
    await expect
      .poll(async () => thread.locator('textarea').evaluate((one) => one === document.activeElement))
      .toBe(true);
    await thread.locator('textarea').press('Enter');
    const last = async () => (await actor.api.getChatHistory({ chat_id, thread_root_id })).items.at(-1);
    await expect.poll(async () => (await last())?.content).toBe('and then?');
    expect((await last())?.dispatch).toEqual([]);

    await choose('Don’t follow threads');
    await row.getByText('when mentioned').waitFor();
    expect((await actor.api.getGroupAgents({ chat_id })).items).toMatchObject([{ follows_threads: false }]);
  });
});
