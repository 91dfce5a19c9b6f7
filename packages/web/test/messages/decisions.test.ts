import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { Front } from '../setup/front.ts';
import { goOffline } from '../setup/offline.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const options = [
  { id: 'ship', label: 'Ship it', style: 'primary' },
  { id: 'wait', label: 'Wait a day' },
  { id: 'drop', label: 'Drop it', style: 'danger' },
] as const;

/** Ann, ben and cleo in a group of ann, with the browsers of ann and ben open in it. */
async function group(stage: Stage, more: Parameters<Stage['person']>[1] = {}) {
  const [ann, ben] = await Promise.all([stage.person('ann'), stage.person('ben', more)]);
  const cleo = await stage.world.member('cleo');
  const { api } = await ann.actor();
  const { id: chat_id } = await api.startChat({ usernames: ['ben', 'cleo'], title: 'Release' });
  await Promise.all([ann.open(chat_id), ben.open(chat_id)]);
  const ask = async (given: object = {}) =>
    (await api.askDecision({ chat_id, text: 'Is **1.4** ready?', options: [...options], ...given })).id;
  return { ann, ben, cleo, api, chat_id, ask };
}

const cardOf = ({ timeline }: Person, question = 'Is 1.4 ready?') => timeline.getByRole('group', { name: question });
const option = (person: Person, name: string) => cardOf(person).getByRole('button', { name, exact: true });

inChromium('WEB-478: a press decides, and everybody sees what was chosen, by whom and when', async () => {
  await withStage(async (stage) => {
    const { ann, ben, api, ask } = await group(stage);
    await ask();
    for (const person of [ann, ben]) await option(person, 'Ship it').waitFor();
    // The text of the message, which is for clients without decisions, is not shown beside the card.
    expect(await ben.message('1.4').innerText()).not.toContain('- Ship it');
    expect(await ben.message('1.4').getByText('Is 1.4 ready?').count()).toBe(1);
    await cardOf(ben).getByText('Anyone here can decide. The first answer counts.').waitFor();
    expect(await findings(ben.page)).toEqual([]);
    await stage.picture('decision-open', ben.page);
    await option(ben, 'Ship it').click();
    await cardOf(ben).getByRole('status').getByText('Ship it').waitFor();
    await cardOf(ben)
      .getByText(/^You, /)
      .waitFor();
    await cardOf(ann).getByRole('status').getByText('Ship it').waitFor();
    await cardOf(ann)
      .getByText(/^Ben, /)
      .waitFor();
    expect(await cardOf(ann).getByRole('button').count()).toBe(0);
    expect(await findings(ann.page)).toEqual([]);
    await ben.page.emulateMedia({ colorScheme: 'dark' });
    expect(await findings(ben.page, ['color-contrast'])).toEqual([]);
    await stage.picture('decision-decided-dark', ben.page);
    const { decision } = (await api.getDecisions({})).items[0] ?? {};
    expect(decision).toMatchObject({ state: 'decided', option: 'ship', decided_by: 'ben' });
    await ann.page.reload();
    await cardOf(ann)
      .getByText(/^Ben, /)
      .waitFor();
  });
});

inChromium(
  'WEB-479: the options are one stop of Tab, arrows move between them, and the outcome takes the focus',
  async () => {
    await withStage(async (stage) => {
      const { ben, ask } = await group(stage);
      await ask();
      await option(ben, 'Ship it').waitFor();
      expect(await cardOf(ben).locator('button[tabindex="0"]').count()).toBe(1);
      const focused = (name: string) => option(ben, name).and(ben.page.locator(':focus')).waitFor();
      await option(ben, 'Ship it').focus();
      await ben.page.keyboard.press('ArrowLeft');
      await focused('Drop it');
      await ben.page.keyboard.press('Home');
      await ben.page.keyboard.press('ArrowRight');
      await focused('Wait a day');
      await ben.page.keyboard.press('Enter');
      const status = cardOf(ben).getByRole('status');
      await status.getByText('Wait a day').waitFor();
      await status.and(ben.page.locator(':focus')).waitFor();
      await ben.page.keyboard.press('Escape');
      await ben.message('1.4').and(ben.page.locator(':focus')).waitFor();
    });
  },
);

inChromium('WEB-480: who may not decide sees the options and who may, without buttons', async () => {
  await withStage(async (stage) => {
    const { ann, ben, ask } = await group(stage);
    await ask({ deciders: ['cleo', 'ann'], expires_in: 7_200 });
    await cardOf(ben).getByText('cleo and Ann can decide. The first answer counts.').waitFor();
    await cardOf(ben).getByText('Expires in 2 h').waitFor();
    expect(await cardOf(ben).getByRole('button').count()).toBe(0);
    expect(await cardOf(ben).getByRole('list', { name: 'Options' }).getByRole('listitem').allInnerTexts()).toEqual([
      'Ship it',
      'Wait a day',
      'Drop it',
    ]);
    await cardOf(ann).getByText('You and cleo can decide.', { exact: false }).waitFor();
    await option(ann, 'Drop it').waitFor();
    expect(await findings(ben.page)).toEqual([]);
    await stage.picture('decision-not-mine', ben.page);
  });
});

inChromium('WEB-481: a form is filled in, checked and sent with the option; everybody sees the values', async () => {
  await withStage(async (stage) => {
    const { ann, ben, api, ask } = await group(stage, { viewport: { width: 360, height: 800 } });
    const form = [
      { key: 'seats', label: 'Seats', type: 'number', required: true },
      { key: 'class', label: 'Class', type: 'select', options: ['first', 'second'], default: 'second' },
      { key: 'quiet', label: 'Quiet car', type: 'boolean' },
      { key: 'note', label: 'Note', type: 'text' },
    ];
    await ask({ text: 'Which seats?', options: undefined, form });
    const card = cardOf(ben, 'Which seats?');
    await card.getByRole('button', { name: 'Submit' }).click();
    await card.getByText('Fill this in.').waitFor();
    await card.getByLabel('Seats').fill('many');
    await card.getByRole('button', { name: 'Submit' }).click();
    await card.getByText('Enter a number.').waitFor();
    await card.getByLabel('Seats').fill('2');
    await card.getByLabel('Quiet car').selectOption('On');
    expect(await findings(ben.page)).toEqual([]);
    await stage.picture('decision-form-phone', ben.page);
    expect(await ben.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await card.getByLabel('Seats').press('Enter');
    await cardOf(ann, 'Which seats?')
      .getByText(/^Ben, /)
      .waitFor();
    await cardOf(ann, 'Which seats?').getByRole('status').getByText('Submit', { exact: true }).waitFor();
    await cardOf(ann, 'Which seats?').getByText('Quiet car').waitFor();
    const { decision } = (await api.getDecisions({})).items[0] ?? {};
    expect(decision?.fields).toEqual({ seats: 2, class: 'second', quiet: true });
    await stage.picture('decision-form-decided', ann.page);
  });
});

inChromium('WEB-482: an answer that comes too late shows the outcome instead of an error', async () => {
  await withStage(async (stage) => {
    const { ben, cleo, chat_id, ask } = await group(stage);
    let isHeld = false;
    await ben.page.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer();
      // Events arrive late; answers have an id.
      server.onMessage((frame) => (isHeld && !String(frame).startsWith('{"id"') ? undefined : socket.send(frame)));
    });
    await ben.open(chat_id);
    const id = await ask();
    await option(ben, 'Ship it').waitFor();
    isHeld = true;
    await cleo.api.decide({ decision_id: id, option: 'drop' });
    await option(ben, 'Ship it').click();
    await cardOf(ben).getByText('Your answer came too late. This is the outcome:').waitFor();
    await cardOf(ben).getByRole('status').getByText('Drop it').waitFor();
    expect(await cardOf(ben).getByRole('button').count()).toBe(0);
    await stage.picture('decision-late', ben.page);
  });
});

inChromium('WEB-482: without a connection the card says so, and stays as it was', async () => {
  await withStage(async (stage) => {
    await using front = await Front.of(stage.world.url);
    const { ben, ask } = await group(stage, { url: front.url });
    await ask();
    await option(ben, 'Ship it').waitFor();
    await goOffline(stage, front, ben);
    await option(ben, 'Ship it').click();
    await cardOf(ben).getByRole('alert').filter({ hasText: 'Can’t reach the service.' }).waitFor();
    await option(ben, 'Ship it').and(ben.page.locator(':focus')).waitFor();
    await stage.picture('decision-offline', ben.page);
  });
});

inChromium('WEB-483: a private decision says who sees it, and others see nothing of it', async () => {
  await withStage(async (stage) => {
    const { ann, ben, cleo, api, chat_id, ask } = await group(stage);
    await ask({ deciders: ['ben'], private: true });
    await cardOf(ben).getByText('Only you and Ann see this.').waitFor();
    await cardOf(ann).getByText('Only you and Ben see this.').waitFor();
    await stage.picture('decision-private', ben.page);
    expect((await cleo.api.getChatHistory({ chat_id })).items.some(({ decision }) => decision)).toBe(false);
    // The asker takes it back.
    await ann.choose(ann.message('1.4'), 'Withdraw');
    await ann.page
      .getByRole('dialog', { name: 'Withdraw this question?' })
      .getByRole('button', { name: 'Withdraw' })
      .click();
    for (const person of [ann, ben])
      await cardOf(person).getByText('Withdrawn: there is nothing to decide any more.').waitFor();
    expect((await api.getDecisions({ state: 'open' })).items).toEqual([]);
    await ben.message('1.4').hover();
    await ben.message('1.4').getByRole('button', { name: 'More' }).click();
    await ben.page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    expect(await ben.page.getByRole('menuitem', { name: 'Withdraw' }).count()).toBe(0);
    expect(await ann.page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
  });
});

inChromium(
  'WEB-488: what needs the user is counted in the list, the title and the inbox, until it is decided anywhere',
  async () => {
    await withStage(async (stage) => {
      const { ann, ben, cleo, ask } = await group(stage);
      const { page } = ben;
      await page.goto(new URL('/inbox', page.url()).href);
      const id = await ask();
      await ask({ text: 'Who brings cake?', deciders: ['cleo'] });
      await ben.chat('Release').getByRole('img', { name: '1 decision needs you' }).waitFor();
      await expect.poll(() => page.title()).toContain('Needs you: 1');
      const row = page.getByRole('list', { name: 'For you' }).getByRole('listitem');
      await row.filter({ hasText: 'Ann asks you to decide' }).getByText('Is 1.4 ready?').waitFor();
      expect(await row.getByRole('button', { name: 'Done' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Needs you: 1' }).click();
      expect(await row.count()).toBe(1);
      expect(await findings(page)).toEqual([]);
      await stage.picture('needs-you-inbox', page);
      await row.getByRole('link').click();
      await option(ben, 'Ship it').waitFor();
      await page.goBack();
      await row.getByText('Is 1.4 ready?').waitFor();
      await cleo.api.decide({ decision_id: id, option: 'wait' });
      await expect.poll(() => page.title()).not.toContain('Needs you');
      await expect.poll(async () => row.filter({ hasText: 'asks you to decide' }).count()).toBe(0);
      expect(await ben.chat('Release').getByRole('img', { name: 'needs you' }).count()).toBe(0);
      // The asker may decide too.
      await expect.poll(() => ann.page.title()).not.toContain('Needs you');
    });
  },
);
