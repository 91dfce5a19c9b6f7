import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withStage } from '../setup/stage.ts';

const photoFile = (name: string) => new File([Uint8Array.from(smallPhoto(name).buffer)], name);

inChromium('the details list media, files and links, and what arrives meanwhile', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Trip' });
    const send = async (file: File, text = '') => {
      const { id } = await bob.api.uploadFile({ file });
      return bob.api.sendMessage({ chat_id, text, attachments: [{ id }] });
    };
    const sea = await send(photoFile('sea.png'));
    await send(new File(['route'], 'route.txt'), 'the way: [map](https://maps.example/x)');
    await bob.api.sendMessage({ chat_id, text: 'no link: `https://code.example`' });
    await ann.open(chat_id);
    const { page } = ann;
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    const tab = (name: string) => details.getByRole('tab', { name });
    await tab('Media').click();
    const tiles = details.getByRole('button', { name: /^Show / });
    await tiles.first().waitFor();
    expect(await tiles.count()).toBe(1);
    await send(photoFile('new.png'));
    await details.getByRole('button', { name: 'Show new.png' }).waitFor();
    const late = await send(photoFile('late.png'));
    await details.getByRole('button', { name: 'Show late.png' }).waitFor();
    await bob.api.deleteMessages({ message_ids: [late.id] });
    await details.getByRole('button', { name: 'Show late.png' }).waitFor({ state: 'detached' });
    await stage.picture('details-media', page);
    expect(await findings(page)).toEqual([]);
    await details.getByRole('button', { name: 'Show sea.png' }).click();
    await page.getByRole('dialog', { name: 'sea.png' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'new.png' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('dialog', { name: 'sea.png' }).getByRole('button', { name: 'Show in chat' }).click();
    await page.locator(`[data-message="${sea.id}"]`).waitFor();

    // The keyboard moves between the tabs.
    await tab('Media').focus();
    await page.keyboard.press('ArrowRight');
    await details.getByText('route.txt').waitFor();
    await stage.picture('details-files', page);
    await page.keyboard.press('ArrowRight');
    const link = details.getByRole('link', { name: /map/ });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('https://maps.example/x');
    expect(await details.getByRole('link').count()).toBe(1);
    await details.getByText('maps.example').waitFor();
    await stage.picture('details-links', page);
  });
});

inChromium('older media load while the list is scrolled, and an empty list says so', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Trip' });
    const { id } = await bob.api.uploadFile({ file: photoFile('one.png') });
    for (let at = 0; at < 120; at += 1) await bob.api.sendMessage({ chat_id, text: '', attachments: [{ id }] });
    await ann.open(chat_id);
    const { page } = ann;
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('tab', { name: 'Links' }).click();
    await details.getByText('No links yet.').waitFor();
    await details.getByRole('tab', { name: 'Media' }).click();
    const tiles = details.getByRole('button', { name: 'Show one.png' });
    await tiles.nth(49).waitFor();
    expect(await tiles.count()).toBeLessThan(120);
    await expect
      .poll(async () => {
        await tiles.last().scrollIntoViewIfNeeded();
        return tiles.count();
      })
      .toBe(120);
  });
});
