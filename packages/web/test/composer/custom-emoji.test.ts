import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
/** Whether a picture has arrived. */
const isDrawn = (node: SVGElement | HTMLElement) => node instanceof HTMLImageElement && node.naturalWidth > 0;

inChromium('a custom emoji is a picture in texts and reactions, until it is deleted', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(stage.world.url).origin) foreign.push(request.url());
    });
    const bob = await stage.world.member('bob');
    const { id: file_id } = await bob.api.uploadFile({
      file: new File([Buffer.from(smallPhoto('party.png').buffer)], 'party.png'),
    });
    await bob.api.createEmoji({ name: 'party_cat', file_id });
    const { id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    await bob.api.sendMessage({ chat_id: id, text: 'A :party_cat: at 10:30:45, `:party_cat:` and :nobody:' });
    await ann.open(id);
    const message = ann.message('A ').first();
    const picture = message.getByRole('img', { name: ':party_cat:' });
    await picture.waitFor();
    await expect.poll(async () => picture.evaluate(isDrawn)).toBe(true);
    expect(await message.getByRole('img').count()).toBe(1);
    await ann.sees(message, 'A  at 10:30:45, :party_cat: and :nobody:');
    const [height, size] = await picture.evaluate((node) => [
      node.getBoundingClientRect().height,
      Number.parseFloat(getComputedStyle(node).fontSize),
    ]);
    expect(height).toBeCloseTo(1.25 * (size ?? 0), 0);

    await ann.composer.pressSequentially('yes :part');
    const list = page.getByRole('listbox', { name: 'Emoji' });
    await list.getByRole('option').first().locator('img[alt=":party_cat:"]').waitFor();
    await stage.picture('custom-emoji-completion', page);
    await page.keyboard.press('Enter');
    await expect.poll(async () => ann.composer.inputValue()).toBe('yes :party_cat: ');
    await page.keyboard.press('Enter');
    await ann.message('yes').getByRole('img', { name: ':party_cat:' }).waitFor();

    await message.hover();
    await message.getByRole('button', { name: 'React' }).click();
    const section = page.getByRole('group', { name: 'Custom emoji' });
    await section.getByRole('img', { name: ':party_cat:' }).waitFor();
    expect(await findings(page, ['color-contrast', 'button-name', 'image-alt'])).toEqual([]);
    await stage.picture('custom-emoji-picker', page);
    await section.getByRole('button').click();
    const reaction = message.getByRole('button', { name: /^:party_cat: 1/u });
    await reaction.getByRole('img').waitFor();
    expect(await findings(page)).toEqual([]);
    await stage.picture('custom-emoji', page);
    const { items } = await api.getChatHistory({ chat_id: id });
    expect(items.flatMap(({ reactions }) => reactions.map(({ emoji }) => emoji))).toEqual([':party_cat:']);

    await bob.api.deleteEmoji({ name: 'party_cat' });
    await ann.open(id);
    await ann.sees(ann.message('A ').first(), 'A :party_cat: at 10:30:45, :party_cat: and :nobody:');
    expect(foreign).toEqual([]);
  });
});

inChromium('the settings add and delete custom emoji, on a phone too', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', phone);
    const { page } = ann;
    const { api } = await ann.actor();
    const bob = await stage.world.member('bob');
    const { id: file_id } = await bob.api.uploadFile({
      file: new File([Buffer.from(smallPhoto('sea.png').buffer)], 'sea.png'),
    });
    await bob.api.createEmoji({ name: 'sea', file_id });
    await page.goto(`${stage.world.url}/settings/emoji`);
    await page.getByText(':sea:').last().waitFor();
    const add = page.getByRole('button', { name: 'Add emoji' });
    await add.tap();
    await page.getByRole('alert').getByText('Choose a picture.').waitFor();
    await page.getByLabel('Picture', { exact: true }).setInputFiles(smallPhoto('party.png'));
    await page.getByRole('img', { name: 'The picture you chose' }).waitFor();
    await page.getByLabel('Name').fill('Party Cat');
    await add.tap();
    await page.getByRole('alert').getByText('Use 2 to 32 small letters').waitFor();
    await page.getByLabel('Name').fill('sea');
    await add.tap();
    await page.getByRole('alert').getByText(/taken/u).waitFor();
    await page.getByLabel('Name').fill('party_cat');
    await add.tap();
    await page.getByRole('status').getByText('Added').waitFor();
    const own = page.getByRole('listitem').filter({ hasText: ':party_cat:' });
    await own.getByRole('img', { name: ':party_cat:' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete :sea:' }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await stage.picture('emoji-page-phone', page);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findings(page, ['color-contrast'])).toEqual([]);
    await stage.picture('emoji-page-phone-dark', page);
    await own.getByRole('button', { name: 'Delete :party_cat:' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).tap();
    await own.waitFor({ state: 'detached' });
    expect((await api.getEmoji()).items.map(({ name }) => name)).toEqual(['sea']);
  });
});
