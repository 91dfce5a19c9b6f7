import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-408: a browser that is too old reads so instead of an empty page', async () => {
  await withStage(async (stage) => {
    const { page } = await stage.browser();
    await page.locator('form').waitFor();
    const sentence = page.getByText('This browser is too old for Parley.');
    expect(await sentence.isVisible()).toBe(false);
    // A browser without the function does not have the app's newest functions either.
    await page.route(/\.css$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('light-dark(', 'unknown-to-it(') });
    });
    await page.route(/\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await page.reload();
    await sentence.waitFor();
    expect((await sentence.boundingBox())?.y).toBeLessThan(100);
    await stage.picture('old-browser', page);
  });
});
