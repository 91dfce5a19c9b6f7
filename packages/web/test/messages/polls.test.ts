import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const rules = [
  'button-name',
  'color-contrast',
  'label',
  'aria-prohibited-attr',
  'aria-allowed-attr',
  'list',
  'listitem',
];

/** Ann and ben in a group of ann, both with it open. */
async function group(stage: Stage) {
  const [ann, ben] = await Promise.all([stage.person('ann'), stage.person('ben')]);
  const { api } = await ann.actor();
  const { id: chat_id } = await api.startChat({ usernames: ['ben'], title: 'Trip' });
  await Promise.all([ann.open(chat_id), ben.open(chat_id)]);
  const poll = async (more: object = {}) =>
    (
      await api.sendMessage({
        chat_id,
        text: '',
        poll: { question: 'Where to?', options: ['Rome', 'Oslo', 'Bath'], ...more },
      })
    ).id;
  return { ann, ben, api, chat_id, poll };
}

const pollOf = ({ timeline }: Person, question = 'Where to?') => timeline.getByRole('group', { name: question });
const option = (person: Person, name: string) => pollOf(person).getByRole('button', { name, exact: true });
const dialog = ({ page }: Person, name: string) => page.getByRole('dialog', { name });

async function openForm(person: Person) {
  await person.page.getByRole('button', { name: 'Add', exact: true }).click();
  await person.page.getByRole('menuitem', { name: 'Poll' }).click();
  const form = dialog(person, 'New poll');
  await form.waitFor();
  return form;
}

inChromium('a poll is written in a dialog of the composer, which says what is missing and keeps the text', async () => {
  await withStage(async (stage) => {
    const { ann, ben } = await group(stage);
    await ann.composer.fill('not sent yet');
    const form = await openForm(ann);
    const send = form.getByRole('button', { name: 'Send poll' });
    const problem = (text: string) => form.getByRole('alert').filter({ hasText: text }).waitFor();
    await send.click();
    await problem('Write a question.');
    await form.getByLabel('Question').fill('Where to?');
    await form.getByRole('textbox', { name: 'Option 1' }).fill('Rome');
    await send.click();
    await problem('Write at least two options.');
    await form.getByRole('textbox', { name: 'Option 2' }).fill('Rome');
    await send.click();
    await problem('Two options are the same.');
    await form.getByRole('textbox', { name: 'Option 2' }).fill('Oslo');
    await form.getByRole('textbox', { name: 'Option 3' }).fill('Bath');
    await form.getByRole('textbox', { name: 'Option 4' }).waitFor();
    await form.getByRole('button', { name: 'Remove option 1' }).click();
    await form.getByRole('switch', { name: 'Several answers' }).click();
    await form.getByRole('switch', { name: 'Anonymous' }).click();
    await form.getByLabel('Ends').selectOption('After a day');
    expect(await findings(ann.page, rules)).toEqual([]);
    await stage.picture('poll-form', ann.page);
    await form.getByLabel('Question').press('Enter');
    await form.waitFor({ state: 'detached' });
    for (const person of [ann, ben]) {
      await pollOf(person).getByText('Anonymous poll, choose one or more').waitFor();
      expect(await pollOf(person).getByRole('listitem').allInnerTexts()).toEqual(['Oslo\n0', 'Bath\n0']);
      await pollOf(person).getByText('Ends', { exact: false }).waitFor();
    }
    expect(await ann.composer.inputValue()).toBe('not sent yet');
  });
});

inChromium('a press votes, another one takes it back, and everyone sees the results, on all devices', async () => {
  await withStage(async (stage) => {
    const { ann, ben, poll } = await group(stage);
    await poll();
    const tab = await ann.tab();
    await option(ann, 'Rome: 0 votes').click();
    for (const person of [ann, tab]) {
      await pollOf(person).getByText('1 person voted').waitFor();
      await expect.poll(async () => option(person, 'Rome: 1 vote').getAttribute('aria-pressed')).toBe('true');
    }
    await option(ben, 'Rome: 1 vote').waitFor();
    expect(await option(ben, 'Rome: 1 vote').getAttribute('aria-pressed')).toBe('false');
    await option(ben, 'Oslo: 0 votes').press('Enter');
    for (const person of [ann, ben, tab]) await option(person, 'Oslo: 1 vote').waitFor();
    await option(tab, 'Bath: 0 votes').click();
    for (const person of [ann, ben, tab]) await option(person, 'Bath: 1 vote').waitFor();
    await option(ann, 'Rome: 0 votes').waitFor();
    await expect.poll(async () => option(ann, 'Bath: 1 vote').getAttribute('aria-pressed')).toBe('true');
    await stage.picture('poll', ann.page);
    expect(await findings(ann.page, rules)).toEqual([]);
    await ann.page.reload();
    await expect.poll(async () => option(ann, 'Bath: 1 vote').getAttribute('aria-pressed')).toBe('true');
    await option(ann, 'Bath: 1 vote').click();
    for (const person of [ann, ben]) await option(person, 'Bath: 0 votes').waitFor();
    expect(await pollOf(ann).locator('[aria-pressed=true]').count()).toBe(0);
  });
});

inChromium('several options can be chosen one after another', async () => {
  await withStage(async (stage) => {
    const { ann, ben, poll } = await group(stage);
    await poll({ is_multiple: true });
    for (const name of ['Rome: 0 votes', 'Bath: 0 votes']) await option(ben, name).click();
    for (const name of ['Rome: 1 vote', 'Oslo: 0 votes', 'Bath: 1 vote']) await option(ann, name).waitFor();
    expect(await pollOf(ben).locator('[aria-pressed=true]').count()).toBe(2);
    await pollOf(ann).getByText('1 person voted').waitFor();
    await ben.page.setViewportSize({ width: 390, height: 800 });
    await ben.page.emulateMedia({ colorScheme: 'dark' });
    await stage.picture('poll-phone-dark', ben.page);
    expect(await findings(ben.page, rules)).toEqual([]);
  });
});

inChromium('the voters of each option are listed, unless the poll is anonymous', async () => {
  await withStage(async (stage) => {
    const { ann, ben, poll } = await group(stage);
    await poll({ question: 'Secret?', is_anonymous: true });
    await poll();
    await option(ann, 'Rome: 0 votes').click();
    await option(ben, 'Oslo: 0 votes').click();
    await option(ann, 'Oslo: 1 vote').waitFor();
    await pollOf(ann).getByRole('button', { name: 'See who voted' }).click();
    const voters = (name: string) => dialog(ann, 'Who voted').getByRole('region', { name }).getByRole('listitem');
    await voters('Rome').filter({ hasText: '@ann' }).waitFor();
    await voters('Oslo').filter({ hasText: '@ben' }).waitFor();
    await stage.picture('poll-voters', ann.page);
    expect(await findings(ann.page, rules)).toEqual([]);
    await ann.page.keyboard.press('Escape');
    await pollOf(ann, 'Secret?').getByRole('button', { name: 'Rome: 0 votes' }).click();
    await pollOf(ann, 'Secret?').getByText('1 person voted').waitFor();
    expect(await pollOf(ann, 'Secret?').getByRole('button', { name: 'See who voted' }).count()).toBe(0);
  });
});

inChromium('its sender closes a poll after a question; a closed one takes no votes', async () => {
  await withStage(async (stage) => {
    const { ann, ben, poll } = await group(stage);
    await poll();
    await option(ben, 'Rome: 0 votes').click();
    await option(ann, 'Rome: 1 vote').waitFor();
    expect(await pollOf(ben).getByRole('button', { name: 'Close poll' }).count()).toBe(0);
    await pollOf(ann).getByRole('button', { name: 'Close poll' }).click();
    await dialog(ann, 'Close this poll?').getByRole('button', { name: 'Close poll' }).click();
    for (const person of [ann, ben]) {
      await pollOf(person).getByText('Poll closed').waitFor();
      expect(await option(person, 'Oslo: 0 votes').isDisabled()).toBe(true);
      expect(await pollOf(person).getByRole('button', { name: 'Close poll' }).count()).toBe(0);
    }
    await stage.picture('poll-closed', ben.page);
  });
});

inChromium('a poll whose time comes while it is displayed is closed', async () => {
  await withStage(async (stage) => {
    const { ann, poll } = await group(stage);
    await ann.page.clock.install();
    await ann.page.reload();
    await poll({ closes_in: 3_600 });
    await pollOf(ann).getByText('Poll, choose one').waitFor();
    await ann.page.clock.fastForward('01:00:10');
    await pollOf(ann).getByText('Poll closed').waitFor();
    expect(await option(ann, 'Rome: 0 votes').isDisabled()).toBe(true);
  });
});

inChromium('the list names a poll by its question, and nobody is offered to edit it', async () => {
  await withStage(async (stage) => {
    const { ann, ben, poll } = await group(stage);
    await poll();
    await ben.chat('Trip').filter({ hasText: 'Poll: Where to?' }).waitFor();
    const message = ann.message('Where to?');
    await message.hover();
    await message.getByRole('button', { name: 'More' }).click();
    await ann.page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    expect(await ann.page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
    await ann.page.keyboard.press('Escape');
    await ann.composer.press('ArrowUp');
    expect(await ann.page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });
});
