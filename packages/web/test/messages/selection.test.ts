import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

interface Selecting {
  stage: Stage;
  ann: Person;
  chatId: string;
}

/** Ann has a group with six messages open: those of even numbers are hers, the others bob's. */
async function withSix(work: (given: Selecting) => Promise<void>): Promise<void> {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { api } = await ann.actor();
    const { id: chatId } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    for (let at = 1; at <= 6; at += 1)
      await (at % 2 === 0 ? api : bob.api).sendMessage({ chat_id: chatId, text: `number ${at}` });
    await ann.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await ann.open(chatId);
    await ann.message('number 6').waitFor();
    await work({ stage, ann, chatId });
  });
}

const barOf = ({ page }: Person) => page.getByRole('toolbar', { name: 'Selected messages' });
const checked = async ({ page }: Person): Promise<number> =>
  page.getByRole('checkbox', { name: /^Select/, checked: true }).count();

inChromium(
  'messages are selected by clicks, ranges and the space bar; Escape ends it and keeps the draft',
  async () => {
    await withSix(async ({ stage, ann }) => {
      const { page } = ann;
      await ann.composer.fill('not sent yet');
      await ann.choose(ann.message('number 2'), 'Select');
      const bar = barOf(ann);
      await bar.getByText('1 selected').waitFor();
      expect(await ann.composer.isVisible()).toBe(false);
      const number2 = ann.message('number 2');
      await expect.poll(async () => number2.evaluate((one) => one === document.activeElement)).toBe(true);
      await ann.message('number 5').click({ modifiers: ['Shift'] });
      await bar.getByText('4 selected').waitFor();
      await ann.message('number 3').click();
      await bar.getByText('3 selected').waitFor();
      await stage.picture('selection', page);
      expect(await findings(page)).toEqual([]);
      // The keyboard: an arrow key moves, the space bar toggles.
      await number2.focus();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Space');
      await bar.getByText('4 selected').waitFor();
      expect(await checked(ann)).toBe(4);
      await page.keyboard.press('Escape');
      await bar.waitFor({ state: 'detached' });
      expect(await ann.composer.inputValue()).toBe('not sent yet');
      await expect.poll(async () => ann.composer.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(await checked(ann)).toBe(0);
      // The message whose menu began the selection shows its actions no more than others.
      await ann.message('number 4').hover();
      await expect.poll(async () => page.getByRole('group', { name: 'Actions' }).count()).toBe(1);
    });
  },
);

inChromium('Copy copies in the order of the timeline; Delete asks once for all', async () => {
  await withSix(async ({ ann, chatId }) => {
    const { page } = ann;
    await ann.choose(ann.message('number 4'), 'Select');
    await ann.message('number 2').click();
    await barOf(ann).getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = await page.evaluate(async () => navigator.clipboard.readText());
    expect(copied).toMatch(/^Ann, .*\nnumber 2\n\nAnn, .*\nnumber 4$/);

    await ann.choose(ann.message('number 1'), 'Select');
    await ann.message('number 2').click();
    await barOf(ann).getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 messages?' });
    await dialog.getByText('can’t be deleted for everyone').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete for everyone' }).count()).toBe(0);
    // Escape closes the dialog only.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await barOf(ann).getByText('2 selected').waitFor();
    await barOf(ann).getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete for me' }).click();
    await ann.message('number 1').waitFor({ state: 'detached' });
    await ann.message('number 2').waitFor({ state: 'detached' });
    await barOf(ann).waitFor({ state: 'detached' });

    await ann.choose(ann.message('number 4'), 'Select');
    await ann.message('number 6').click();
    await barOf(ann).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete for everyone' }).click();
    await ann.message('number 4').waitFor({ state: 'detached' });
    const { items } = await (await ann.actor()).api.getChatHistory({ chat_id: chatId });
    expect(items.map(({ content }) => content)).toEqual(['number 3', 'number 5']);
  });
});

inChromium(
  'WEB-214: several messages go to several conversations; a failed one is named, and only it is tried again',
  async () => {
    await withSix(async ({ stage, ann }) => {
      const { page } = ann;
      const { api } = await ann.actor();
      const cleo = await stage.world.member('cleo');
      const { id: trips } = await api.startChat({ usernames: [], title: 'Trips' });
      const { id: books } = await cleo.api.startChat({ usernames: ['ann'], title: 'Books' });
      await cleo.api.sendMessage({ chat_id: books, text: 'hello' });
      await ann.chat('Books').waitFor();
      await ann.choose(ann.message('number 1'), 'Select');
      await ann.message('number 2').click();
      await barOf(ann).getByRole('button', { name: 'Forward' }).click();
      const dialog = page.getByRole('dialog', { name: 'Forward to' });
      await dialog.getByRole('checkbox', { name: 'Books' }).click();
      await dialog.getByRole('checkbox', { name: 'Trips' }).click();
      await stage.picture('forward', page);
      expect(await findings(page)).toEqual([]);
      await cleo.api.removeMember({ chat_id: books, username: 'ann' });
      await dialog.getByRole('button', { name: 'Forward to 2' }).click();
      await dialog.getByText('Not forwarded to: Books.').waitFor();
      await cleo.api.addMembers({ chat_id: books, usernames: ['ann'] });
      await dialog.getByRole('checkbox', { name: 'Books', checked: true }).waitFor();
      expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(1);
      await dialog.getByRole('button', { name: 'Forward', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await barOf(ann).waitFor({ state: 'detached' });
      for (const chat_id of [trips, books]) {
        const { items } = await api.getChatHistory({ chat_id });
        const copies = items.filter(({ forwarded_from }) => forwarded_from).map(({ content }) => content);
        expect(copies).toEqual(['number 1', 'number 2']);
      }
    });
  },
);
