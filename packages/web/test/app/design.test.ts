import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium, openBrowser } from '../setup/chromium.ts';
import { DesignPage } from '../setup/design-page.ts';
import { picture } from '../setup/pictures.ts';

/** What is compared: not the places and widths of things, which fonts decide, and those are the machine's own. */
const looks = {
  colours: ['color', 'background-color', 'border-top-color', 'outline-color', 'box-shadow'],
  sizes: [
    'font-size',
    'font-weight',
    'line-height',
    'padding-block-start',
    'padding-inline-start',
    'padding-inline-end',
    'border-top-width',
    'border-start-start-radius',
    'min-height',
    'row-gap',
    'column-gap',
    'transition-duration',
  ],
} as const;
type Look = keyof typeof looks;

/** How the elements of each part look, a line for each look that there is. */
const looksOf = (page: Page, look: Look): Promise<string[]> =>
  page.evaluate(
    (names) =>
      [...document.querySelectorAll('[data-part]')].flatMap((part) => [
        part.getAttribute('data-part') ?? '',
        ...new Set(
          [...part.querySelectorAll('*')]
            .filter((element) => !element.closest('svg svg, svg > *'))
            .map((element) => {
              const style = getComputedStyle(element);
              return `  ${element.localName}: ${names.map((name) => style.getPropertyValue(name)).join(' | ')}`;
            }),
        ),
      ]),
    looks[look],
  );

inChromium(
  'WEB-636: the parts of the app look as they were agreed, in both themes, at three widths, in both directions',
  async () => {
    await using design = await DesignPage.build();
    const browser = await openBrowser();
    const found: string[] = [];
    for (const width of [390, 820, 1_200]) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, hasTouch: width === 390 });
      await design.serve(context);
      const page = await context.newPage();
      await page.goto(design.url);
      await page.locator('[data-part=motion]').waitFor();
      const show = async (theme: 'light' | 'dark', direction: 'ltr' | 'rtl') => {
        await page.evaluate(
          async ([theme, direction]) => {
            document.documentElement.dataset['theme'] = theme;
            document.documentElement.dir = direction;
            // Colours change over a moment.
            const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
            await Promise.all(changes.map(async ({ finished }) => finished.catch(() => null)));
          },
          [theme, direction] as const,
        );
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        await picture(`design-${theme}-${width}-${direction}`, page);
        return { colours: await looksOf(page, 'colours'), sizes: await looksOf(page, 'sizes') };
      };
      for (const theme of ['light', 'dark'] as const) {
        const { colours, sizes } = await show(theme, 'ltr');
        // From right to left all is mirrored, and nothing else is different.
        expect([theme, width, await show(theme, 'rtl')]).toEqual([theme, width, { colours, sizes }]);
        // Sizes do not depend on the theme, and colours not on the width.
        if (theme === 'light') found.push(`# sizes at ${width}: ${looks.sizes.join(' | ')}`, ...sizes);
        if (width === 1_200) found.push(`# colours, ${theme}: ${looks.colours.join(' | ')}`, ...colours);
      }
      await context.close();
    }
    await expect(`${found.join('\n')}\n`).toMatchFileSnapshot('design.snap.txt');
  },
);
