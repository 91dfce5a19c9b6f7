import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('an owner renames an agent, and everyone sees the new name at once', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const username = await ann.agent('key');
    stage.world.providers.script('key', { chunks: ['an answer'] });
    const { id: chat_id } = await api.startChat({ usernames: ['bob', username], title: 'Plans' });
    await bob.open(chat_id);
    await bob.say('hello');
    await bob.message('an answer').getByText('Claude of Ann · ann').waitFor();

    await ann.page.goto(`${stage.world.url}/settings/agents`);
    const card = ann.page.getByRole('listitem').filter({ hasText: `@${username}` });
    await card.getByText('Its name and picture', { exact: true }).click();
    const name = card.getByLabel('Name');
    expect(await name.inputValue()).toBe('Claude of Ann');
    await name.fill(' ');
    await name.press('Enter');
    await card.getByText('Enter a name so others recognize it.').waitFor();
    await name.fill('Scribe');
    await stage.picture('agent-name', ann.page);
    await name.press('Enter');
    await card.getByText('Saved').waitFor();
    await card.getByText('Scribe · ann').waitFor();
    expect(await api.getUser({ username })).toMatchObject({ display_name: 'Scribe' });

    await bob.message('an answer').getByText('Scribe · ann').waitFor();
    await bob.composer.fill('@scri');
    await expect.poll(async () => bob.page.getByRole('option').first().innerText()).toContain('Scribe · ann');
    await bob.composer.fill('and you?');
    await expect
      .poll(async () => bob.page.locator('[data-who]').innerText())
      .toBe('Scribe · ann answers, paid by ann.');
  });
});
