import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-14: an unknown address shows a page that leads to the start, also when signed out', async () => {
  await withStage(async (stage) => {
    stage.watch.expect(/status of 404/);
    const guest = await stage.browser({ url: `${stage.world.url}/nonsense` });
    await guest.page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    await guest.page.getByRole('button', { name: 'Go to the start' }).click();
    await guest.page.getByLabel('Username').waitFor();

    const ann = await stage.person('ann');
    for (const path of ['/nonsense', '/settings/nonsense', '/chat/']) {
      await ann.page.goto(stage.world.url + path);
      await ann.page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
      await ann.chats.waitFor();
    }
    await stage.picture('missing', ann.page);
    await ann.page.getByRole('button', { name: 'Go to the start' }).click();
    await ann.page.getByText('Pick a conversation').waitFor();
    expect(new URL(ann.page.url()).pathname).toBe('/');
  });
});
