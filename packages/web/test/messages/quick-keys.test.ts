import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

interface Plans {
  stage: Stage;
  ann: Person;
  chatId: string;
  otherId: string;
}

/** Ann has a group with two messages of bob open, and shares another group with him. */
async function withPlans(work: (plans: Plans) => Promise<void>): Promise<void> {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { api } = await ann.actor();
    const { id: otherId } = await api.startChat({ usernames: ['bob'], title: 'Trips' });
    const { id: chatId } = await api.startChat({ usernames: ['bob'], title: 'Plans' });
    await bob.api.sendMessage({ chat_id: chatId, text: 'a first message' });
    await bob.api.sendMessage({ chat_id: chatId, text: 'a second message' });
    await ann.open(chatId);
    await ann.message('a second message').waitFor();
    await work({ stage, ann, chatId, otherId });
  });
}

inChromium('a note says when a mentioned agent is not in the conversation', async () => {
  await withPlans(async ({ ann }) => {
    await ann.say('what does @ann:provider_a say?');
    await ann.page.getByText('@ann:provider_a isn’t in this chat').waitFor();
  });
});

inChromium('WEB-94: a thread opened from the menu gets the focus, and Escape closes it', async () => {
  await withPlans(async ({ ann }) => {
    const { page } = ann;
    const panel = page.getByRole('region', { name: 'Thread' });
    await ann.choose(ann.message('a first message'), 'Reply in thread');
    await panel.waitFor();
    const isWriting = async (name: string) =>
      page.evaluate((kind) => document.activeElement?.closest(`[data-composer=${kind}]`) instanceof Element, name);
    await expect.poll(async () => isWriting('thread')).toBe(true);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await expect.poll(async () => isWriting('timeline')).toBe(true);
  });
});

inChromium('after a click only the hovered message shows its actions', async () => {
  await withPlans(async ({ ann }) => {
    await ann.message('a first message').click();
    await ann.message('a second message').hover();
    await ann.message('a second message').getByRole('group', { name: 'Actions' }).waitFor();
    expect(await ann.page.getByRole('group', { name: 'Actions' }).count()).toBe(1);
  });
});

inChromium('the number of uses of an invite updates while it is shown', async () => {
  await withPlans(async ({ stage, ann, chatId }) => {
    const { url } = await (await ann.actor()).api.createInvite({ chat_id: chatId });
    await ann.page.getByRole('button', { name: 'Details' }).click();
    await ann.page.getByText('0 joined').waitFor();
    const carol = await stage.world.member('carol');
    await carol.api.joinChat({ token: url.split('/').at(-1) ?? '' });
    await ann.page.getByText('1 joined').waitFor();
  });
});

inChromium('Enter in the Forward search chooses the first conversation', async () => {
  await withPlans(async ({ ann, otherId }) => {
    await ann.choose(ann.message('a first message'), 'Forward');
    await ann.page.getByRole('searchbox', { name: 'Search conversations' }).fill('trip');
    await ann.page.keyboard.press('Enter');
    await expect.poll(() => ann.page.url()).toContain(otherId);
    await ann.message('a first message').waitFor();
  });
});
