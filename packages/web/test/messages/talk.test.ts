import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('two people and an agent, from sign-up to a message deleted for everyone', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.browser(), stage.browser()]);
    await stage.picture('welcome', ann.page);
    await Promise.all([ann.signUp('ann'), bob.signUp('bob')]);
    await stage.picture('home', ann.page);
    const agent = await ann.agent('key-talk');
    stage.world.providers.script('key-talk', { chunks: ['A picnic', ' by the lake.'] });

    // Create a group with the mouse only.
    await ann.page.getByRole('button', { name: 'New conversation' }).click();
    const dialog = ann.page.getByRole('dialog');
    const search = dialog.getByRole('combobox');
    for (const name of ['bob', agent]) {
      await search.fill(name);
      await dialog
        .getByRole('option')
        .filter({ hasText: new RegExp(`@${name}$`) })
        .click();
    }
    await dialog.getByLabel('Group name').fill('Sunday');
    await stage.picture('new-group', ann.page);
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await ann.composer.waitFor();
    await bob.openChat('Sunday');
    const chat_id = ann.page.url().split('/').at(-1) ?? '';
    await (await ann.actor()).api.setGroupAgentMode({ chat_id, agent_username: agent, always_on: false });

    await ann.say('Who has an idea?');
    await bob.message('Who has an idea?').waitFor();

    // A reply to it.
    await bob.message('Who has an idea?').hover();
    await bob.message('Who has an idea?').getByRole('button', { name: 'Reply' }).click();
    await bob.page.locator('[data-composing=reply]').waitFor();
    await bob.say('Not me');
    await ann.message('Not me').getByText('Who has an idea?').waitFor();

    // Add a reaction, add the same from the other person, and remove one.
    const question = ann.message('Not me');
    await question.hover();
    await question.getByRole('button', { name: 'React' }).click();
    await ann.page.getByRole('group', { name: 'Recently used' }).getByRole('button').first().click();
    const reaction = bob.message('Not me').locator('[aria-pressed]');
    await expect.poll(async () => reaction.getAttribute('aria-label')).toMatch(/1, Ann$/);
    await reaction.click();
    await expect.poll(async () => reaction.getAttribute('aria-label')).toMatch(/2, Ann and Bob$/);
    await question.locator('[aria-pressed=true]').click();
    await expect.poll(async () => reaction.getAttribute('aria-label')).toMatch(/1, Bob$/);

    // Edit with the key and from the menu.
    await bob.composer.press('ArrowUp');
    await bob.page.locator('[data-composing=edit]').waitFor();
    await bob.composer.fill('Not me, sorry');
    await bob.composer.press('Enter');
    await ann.message('Not me, sorry').getByText('edited').waitFor();

    // Both see the agent's reply.
    await bob.say(`@${agent} and you?`);
    for (const person of [ann, bob])
      await person.message('A picnic by the lake.').and(person.page.locator('[data-status=complete]')).waitFor();
    await stage.picture('group', bob.page);

    // Delete for one person, then for everyone.
    await ann.choose(ann.message('Not me, sorry'), 'Delete');
    await ann.page.getByRole('button', { name: 'Delete for me' }).click();
    await ann.message('Not me, sorry').waitFor({ state: 'detached' });
    await bob.message('Not me, sorry').waitFor();
    await ann.choose(ann.message('A picnic'), 'Delete');
    await ann.page.getByRole('button', { name: 'Delete for everyone' }).click();
    for (const person of [ann, bob]) await person.message('A picnic').waitFor({ state: 'detached' });

    // Both pages match what the service has stored.
    for (const person of [ann, bob]) {
      const { api } = await person.actor();
      const { items } = await api.getChatHistory({ chat_id });
      const texts = items.filter(({ service }) => !service).map(({ content }) => content);
      expect(await person.texts()).toEqual(texts);
    }
  });
});
