import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('outlines stand where the conversations come, and nothing moves then', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    await ann.chats.getByRole('link').first().waitFor();
    const row = await ann.chats.getByRole('link').first().boundingBox();
    const picture = await ann.chats.getByRole('link').first().locator('[data-initials]').boundingBox();
    const storageState = await ann.context.storageState();

    const other = await stage.browser({ url: `${stage.world.url}/docs`, storageState });
    // The service does not answer.
    await other.page.routeWebSocket(/./, () => undefined);
    await other.page.route('**/api/**', () => undefined);
    await other.page.goto(stage.world.url);
    const outlines = other.page.getByRole('status', { name: 'Loading conversations' });
    const places = outlines.locator('[data-skeleton]');
    await places.first().waitFor();
    await stage.picture('list-outlines', other.page);
    const outline = await places.first().boundingBox();
    expect(outline).toMatchObject({ x: picture?.x, y: row?.y, height: row?.height });
  });
});
