import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withShop } from './widget-stage.ts';

inChromium(
  'WIDGET-2, WIDGET-3, CONFIG-27: a site that is not configured shows no widget; its console and the service’s log say why',
  async () => {
    await withShop(async ({ stage, site, visit }) => {
      stage.watch.expect(/frame-ancestors/, /Parley: the chat did not open/);
      const ann = await visit();
      const said = ann.page.waitForEvent('console', {
        predicate: (message) => message.text().startsWith('Parley: the chat did not open'),
      });
      expect((await said).text()).toContain(`add ${site.origin} to its WIDGET_ORIGINS`);
      expect(await ann.button.isVisible()).toBe(false);
      await ann.page.evaluate(() => window.Parley?.open());
      expect(await ann.page.locator('iframe').isVisible()).toBe(false);
      expect(site.asked).toBe(0);
      await ann.page.reload();
      const refused = () => stage.world.logs.filter(({ msg }) => msg.includes('WIDGET_ORIGINS'));
      expect(refused()).toMatchObject([{ level: 40, origin: site.origin }]);
    }, false);
  },
);

inChromium(
  'WIDGET-2: a configured site cannot show the widget under the name of another one, nor the app',
  async () => {
    await withShop(async ({ stage, site, visit }) => {
      stage.watch.expect(/frame-ancestors/);
      const { url } = stage.world;
      const named = encodeURIComponent('https://other.example');
      site.body += `<iframe id="other" src="${url}/widget?origin=${named}"></iframe><iframe id="app" src="${url}/"></iframe>`;
      const ann = await visit();
      await ann.open();
      for (const id of ['other', 'app']) {
        const frame = await (await ann.page.locator(`#${id}`).elementHandle())?.contentFrame();
        expect([id, frame?.url()]).toEqual([id, 'chrome-error://chromewebdata/']);
      }
    });
  },
);

inChromium('WIDGET-2: somebody who opens the address of the frame comes to the app', async () => {
  await withShop(async ({ stage, site }) => {
    const { page } = await stage.browser({ url: `${stage.world.url}/widget?origin=${site.origin}` });
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});
