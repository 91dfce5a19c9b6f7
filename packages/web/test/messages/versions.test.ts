import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

/** Ann and ben in a group with ann's agent; ann has asked it, and had the reply regenerated, so that each text is a version. */
async function regenerated(stage: Stage, ...texts: string[]) {
  const [ann, ben] = await Promise.all([stage.person('ann'), stage.person('ben')]);
  const agent = await ann.agent('key');
  const { api } = await ann.actor();
  const { id: chat_id } = await api.startChat({ usernames: ['ben'], title: 'Plans' });
  await api.addGroupAgent({ chat_id, agent_username: agent });
  const { script, steer } = stage.world.providers;
  const ids: string[] = [];
  for (const text of texts) {
    script('key', { chunks: [text] });
    const [first] = ids;
    if (first === undefined) await api.sendMessage({ chat_id, text: `@${agent} where?` });
    else await api.retryReply({ message_id: first });
    await stage.world.turnsEnded();
    ids.push((await api.getChatHistory({ chat_id })).items.at(-1)?.id ?? '');
  }
  const open = () => Promise.all([ann.open(chat_id), ben.open(chat_id)]);
  return { ann, ben, api, chat_id, agent, ids, open, steer: () => steer('key') };
}

const group = (person: Person) => person.timeline.getByRole('group', { name: 'Versions of this reply' });
const count = (person: Person, name: string) => group(person).getByRole('status', { name }).waitFor();
const press = (person: Person, name: string) => group(person).getByRole('button', { name }).click();
const reply = (person: Person) => person.messages.filter({ has: person.page.locator('[data-versions]') });

inChromium('WEB-140: the versions of a reply are one row, in which everyone sees a new one stream', async () => {
  await withStage(async (stage) => {
    const { ann, ben, open, steer } = await regenerated(stage, 'To the lake');
    await open();
    const second = steer();
    await ann.choose(ann.message('To the lake'), 'Answer again');
    await second.started;
    second.text('To the');
    for (const person of [ann, ben]) {
      await person.sees(reply(person), 'To the');
      await count(person, 'Version 2 of 2');
      expect(await person.messages.count()).toBe(2);
    }
    second.text(' hills');
    second.end();
    for (const person of [ann, ben]) await person.sees(reply(person), 'To the hills');
    await stage.picture('versions', ann.page);
    const rules = ['button-name', 'color-contrast', 'aria-prohibited-attr', 'aria-allowed-attr', 'aria-allowed-role'];
    expect(await findings(ann.page, rules)).toEqual([]);
    await ann.page.setViewportSize({ width: 390, height: 800 });
    await ann.page.emulateMedia({ colorScheme: 'dark' });
    await stage.picture('versions-phone-dark', ann.page);
  });
});

inChromium('the person who asked chooses for everyone, anyone else looks alone', async () => {
  await withStage(async (stage) => {
    const { ann, ben, api, chat_id, ids, open, steer } = await regenerated(stage, 'one', 'two', 'three');
    await open();
    await press(ben, 'Previous version');
    await ben.sees(reply(ben), 'two');
    await ann.sees(reply(ann), 'three');
    await stage.picture('version-looked-at', ben.page);
    await press(ben, 'Back to the current version');
    await ben.sees(reply(ben), 'three');
    await press(ben, 'Previous version');
    await press(ann, 'Previous version');
    await press(ann, 'Previous version');
    for (const person of [ann, ben]) {
      await person.sees(reply(person), 'one');
      await count(person, 'Version 1 of 3');
    }
    const { items } = await api.getChatHistory({ chat_id });
    expect(items.at(-1)?.versions).toEqual({ ids, current: ids[0] });
    // A thread that was begun on another version stays in reach.
    await api.sendMessage({ chat_id, thread_root_id: ids[1] ?? '', text: 'about this one' });
    await ben.timeline.getByRole('button', { name: '1 reply to version 2' }).waitFor();
    // The keyboard: the button at the end keeps the focus.
    const previous = group(ann).getByRole('button', { name: 'Previous version' });
    await previous.press('Enter');
    expect(await previous.evaluate((button) => button === document.activeElement)).toBe(true);
    // A new version takes over from whatever ben looks at.
    await press(ben, 'Next version');
    await ben.sees(reply(ben), 'two');
    const fourth = steer();
    await api.retryReply({ message_id: ids[0] ?? '' });
    await fourth.started;
    fourth.text('four');
    fourth.end();
    for (const person of [ann, ben]) await person.sees(reply(person), 'four');
    // After a reload it is the same.
    await ben.page.reload();
    await ben.sees(reply(ben), 'four');
  });
});

inChromium('a link shows the person who asked an older version, and the way back chooses nothing', async () => {
  await withStage(async (stage) => {
    const { ann, api, chat_id, ids } = await regenerated(stage, 'one', 'two', 'three');
    const [one = ''] = ids;
    await ann.page.goto(new URL(`/chat/${chat_id}?m=${one}`, ann.page.url()).href);
    await ann.sees(reply(ann), 'one');
    await press(ann, 'Back to the current version');
    await ann.sees(reply(ann), 'three');
    await group(ann).getByRole('button', { name: 'Back' }).waitFor({ state: 'detached' });
    const { items } = await api.getChatHistory({ chat_id });
    expect(items.at(-1)?.versions).toEqual({ ids, current: ids[2] });
    // A choice offers no way back.
    await press(ann, 'Previous version');
    await ann.sees(reply(ann), 'two');
    expect(await group(ann).getByRole('button', { name: 'Back' }).count()).toBe(0);
  });
});

inChromium('WEB-140: if the newest version is hidden, the one before it has the row', async () => {
  await withStage(async (stage) => {
    const { ben, ids, open } = await regenerated(stage, 'one', 'two');
    await (await ben.actor()).api.deleteMessagesForMe({ message_ids: [ids[1] ?? ''] });
    await open();
    await ben.sees(reply(ben), 'one');
    await count(ben, 'Version 1 of 2');
    expect(await group(ben).getByText('Loading').count()).toBe(0);
  });
});

inChromium('the app says if it cannot show a version', async () => {
  await withStage(async (stage) => {
    const { ben, ids, open } = await regenerated(stage, 'one', 'two');
    await (await ben.actor()).api.deleteMessagesForMe({ message_ids: [ids[0] ?? ''] });
    await open();
    await press(ben, 'Previous version');
    await ben.page.getByText('You can’t see that version').waitFor();
    await ben.sees(reply(ben), 'two');
  });
});

inChromium('a link, a pin, a quote and a search hit show the row with their version', async () => {
  await withStage(async (stage) => {
    const { ann, ben, api, chat_id, ids } = await regenerated(stage, 'To the **albatross**', 'To the hills');
    const [one = ''] = ids;
    for (let at = 0; at < 60; at += 1) await api.sendMessage({ chat_id, text: `later ${at}` });
    await api.pinMessage({ chat_id, message_id: one });
    const quote = await api.sendMessage({ chat_id, text: 'I mean this', reply_to_message_id: one });
    await stage.world.turnsEnded();
    const shows = async (person: Person) => {
      await person.sees(reply(person), 'To the albatross');
      await count(person, 'Version 1 of 2');
    };
    const follow = (id: string) => ben.page.goto(new URL(`/chat/${chat_id}?m=${id}`, ben.page.url()).href);
    await follow(one);
    await shows(ben);
    await follow(quote.id);
    await ben.message('I mean this').waitFor();
    await ben.page.getByRole('button', { name: 'To the albatross' }).first().click();
    await shows(ben);
    await ann.open(chat_id);
    await ann.page.keyboard.press('Control+k');
    await ann.page.getByRole('combobox', { name: 'Search' }).fill('albatross');
    await ann.page.getByRole('option').filter({ hasText: 'albatross' }).click();
    await shows(ann);
    await expect
      .poll(() => ann.page.evaluate(() => [...(CSS.highlights.get('sought') ?? [])].map(String)))
      .toEqual(['albatross']);
  });
});

inChromium(
  'WEB-143: the focus follows a reply that is regenerated; a version that failed is named by its alert',
  async () => {
    await withStage(async (stage) => {
      const { ann, api, chat_id, open, steer } = await regenerated(stage, 'one');
      await api.sendMessage({ chat_id, text: 'in between' });
      await open();
      await ann.message('one').focus();
      const second = steer();
      await ann.page.keyboard.press('Tab');
      const more = ann.message('one').getByRole('button', { name: 'More' });
      await more.focus();
      await ann.page.keyboard.press('Enter');
      await ann.page.getByRole('menuitem', { name: 'Answer again' }).press('Enter');
      await second.started;
      await count(ann, 'Version 2 of 2');
      await expect
        .poll(() => ann.page.evaluate(() => document.activeElement?.closest('[data-message]')?.textContent ?? ''))
        .toContain('thinking');
      second.text('half');
      second.error();
      await ann.sees(reply(ann), 'one');
      await count(ann, 'Version 1 of 2');
      await ann.page.getByRole('region', { name: 'Alerts' }).getByText('couldn’t answer').waitFor();
      await press(ann, 'Next version');
      await ann.sees(reply(ann), 'half');
      await stage.picture('version-failed', ann.page);
    });
  },
);

inChromium('WEB-144: delete for me hides all versions, delete for everyone the one that is shown', async () => {
  await withStage(async (stage) => {
    const { ann, ben, open } = await regenerated(stage, 'one', 'two', 'three');
    await open();
    await ann.choose(reply(ann), 'Delete');
    await ann.page.getByText('deletes only this version').waitFor();
    await stage.picture('delete-version', ann.page);
    await ann.page.getByRole('button', { name: 'Delete for everyone' }).click();
    for (const person of [ann, ben]) {
      await person.sees(reply(person), 'two');
      await count(person, 'Version 2 of 2');
    }
    await ben.choose(reply(ben), 'Delete');
    await ben.page.getByText('hides all 2 versions').waitFor();
    await ben.page.getByRole('button', { name: 'Delete for me' }).click();
    await group(ben).waitFor({ state: 'detached' });
    await ben.page.reload();
    await ben.message('where?').waitFor();
    expect(await ben.messages.count()).toBe(1);
    await ann.sees(reply(ann), 'two');
  });
});

inChromium('after an edit the page offers to have each agent answer the new text', async () => {
  await withStage(async (stage) => {
    const { ann, ben, agent, ids, open, steer } = await regenerated(stage, 'one');
    await open();
    const edit = async (text: string) => {
      await ann.choose(ann.message('where?'), 'Edit');
      await ann.composer.fill(`@${agent} ${text}`);
      await ann.composer.press('Enter');
    };
    await edit('where? and when?');
    const offer = ann.timeline.getByRole('group', { name: 'Answer again?' });
    await offer.waitFor();
    await stage.picture('answer-again', ann.page);
    expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await ben.timeline.getByRole('group', { name: 'Answer again?' }).count()).toBe(0);
    const second = steer();
    await offer.getByRole('button', { name: 'Claude' }).press('Enter');
    const { body } = await second.started;
    expect(JSON.stringify(body['messages'])).toContain('where? and when?');
    second.text('two');
    second.end();
    await ann.sees(reply(ann), 'two');
    await count(ann, 'Version 2 of 2');
    await offer.waitFor({ state: 'detached' });
    const question = ann.message('where?').and(ann.page.locator(':focus'));
    await question.waitFor();
    expect(ids).toHaveLength(1);
    await edit('where? and with whom?');
    await offer.getByRole('button', { name: 'No, keep the answers' }).press('Enter');
    await offer.waitFor({ state: 'detached' });
    await question.waitFor();
  });
});

inChromium('after an edit of a message out of view, the offer to answer again is in view', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    await stage.world.member('bob');
    const agent = await ann.agent('key');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Plans' });
    await api.addGroupAgent({ chat_id, agent_username: agent });
    const lines = Array.from({ length: 120 }, (_, at) => `Line ${at}`).join('\n\n');
    stage.world.providers.script('key', { chunks: [lines] });
    await ann.open(chat_id);
    await ann.say(`@${agent} where?`);
    await ann.message('Line 119').and(ann.page.locator('[data-status=complete]')).waitFor();
    await api.sendMessage({ chat_id, text: 'Thanks!' });
    const offer = ann.timeline.getByRole('group', { name: 'Answer again?' });
    const question = ann.message('where?');
    const isInView = async (row: typeof offer) => {
      if ((await row.count()) === 0) return false;
      const [box, view] = await Promise.all([row.boundingBox(), ann.timeline.boundingBox()]);
      return box !== null && view !== null && box.y >= view.y && box.y + box.height <= view.y + view.height;
    };
    // The composer keeps the edit while the timeline is scrolled to its end.
    const editAtEnd = async (text: string) => {
      await ann.choose(question, 'Edit');
      await ann.timeline.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      await expect.poll(async () => isInView(question)).toBe(false);
      await ann.composer.fill(`@${agent} ${text}`);
      await ann.composer.press('Enter');
    };
    await ann.message('Thanks!').waitFor();
    await ann.timeline.evaluate((element) => element.scrollTo({ top: 0 }));
    await editAtEnd('where? and when?');
    await offer.waitFor();
    await expect.poll(async () => (await isInView(offer)) && isInView(question)).toBe(true);
    expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
    await stage.picture('answer-again-above', ann.page);
    // Once shown, it does not hold the reader there.
    await ann.timeline.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await ann.message('Thanks!').waitFor();
    await expect.poll(async () => isInView(offer)).toBe(false);
    await ann.timeline.evaluate((element) => element.scrollTo({ top: 0 }));
    await offer.waitFor();
  });
});
