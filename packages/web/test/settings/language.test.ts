import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const languageOf = async (page: Page) =>
  page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

inChromium('WEB-362: a language chosen in the settings stays in the browser, with its direction', async () => {
  await withStage(async (stage) => {
    const { page } = await stage.person('ann');
    expect(await languageOf(page)).toEqual(['en', 'ltr']);
    await page.goto(`${stage.world.url}/settings/appearance`);
    // By its value: the label is in the app's language.
    const language = page.locator('select').filter({ hasText: 'Deutsch' });
    expect(await page.getByLabel('Language').inputValue()).toBe('browser');
    const choose = async (value: string) => {
      const reloaded = page.waitForEvent('load');
      await language.selectOption(value);
      await reloaded;
      await language.waitFor();
    };
    await choose('ar');
    expect(await languageOf(page)).toEqual(['ar', 'rtl']);
    await stage.picture('language-arabic', page);
    await page.reload();
    await language.waitFor();
    expect(await languageOf(page)).toEqual(['ar', 'rtl']);
    expect(await language.inputValue()).toBe('ar');
    await choose('de');
    expect(await languageOf(page)).toEqual(['de', 'ltr']);
    await choose('browser');
    expect(await languageOf(page)).toEqual(['en', 'ltr']);
  });
});

inChromium(
  'WEB-362: the app is in the first of its languages that the browser prefers, otherwise in English',
  async () => {
    await withStage(async (stage) => {
      for (const [locale, declared] of [
        ['ar-EG', ['ar', 'rtl']],
        ['fr-CA', ['fr', 'ltr']],
        ['zh-TW', ['zh', 'ltr']],
        ['pt-BR', ['pt', 'ltr']],
        ['pt-PT', ['pt', 'ltr']],
        ['nl-NL', ['en', 'ltr']],
      ] as const) {
        const { page } = await stage.browser({ locale });
        await page.locator('h1').first().waitFor();
        expect(await languageOf(page)).toEqual(declared);
      }
    });
  },
);
