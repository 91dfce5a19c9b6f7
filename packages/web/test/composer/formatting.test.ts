import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

/** A person at the chat with herself. */
async function atNotes(stage: Stage, options: Parameters<Stage['person']>[1] = {}): Promise<Person> {
  const ann = await stage.person('ann', options);
  const { id } = await (await ann.actor()).api.startChat({ username: 'ann' });
  await ann.open(id);
  return ann;
}

const select = (composer: Locator, words: string) =>
  composer.evaluate((area, chosen) => {
    if (!(area instanceof HTMLTextAreaElement)) throw new Error('the composer is no text field');
    const at = area.value.indexOf(chosen);
    area.focus();
    area.setSelectionRange(at, at + chosen.length);
  }, words);
const selected = (composer: Locator) =>
  composer.evaluate((area) =>
    area instanceof HTMLTextAreaElement ? area.value.slice(area.selectionStart, area.selectionEnd) : '',
  );
async function holds(composer: Locator, text: string): Promise<void> {
  await expect.poll(() => composer.inputValue()).toBe(text);
}

inChromium('WEB-500: keys format the selection, take it away again, and can be undone', async () => {
  await withStage(async (stage) => {
    const { page, composer } = await atNotes(stage);
    await composer.pressSequentially('read this today');
    await select(composer, 'this');
    await composer.press('Control+b');
    await holds(composer, 'read **this** today');
    expect(await selected(composer)).toBe('this');
    await composer.press('Control+i');
    await holds(composer, 'read **_this_** today');
    await composer.press('Control+b');
    await holds(composer, 'read _this_ today');
    await composer.press('Control+z');
    await holds(composer, 'read **_this_** today');
    await composer.press('Control+z');
    await composer.press('Control+z');
    await holds(composer, 'read this today');
    await composer.press('Control+Shift+z');
    await holds(composer, 'read **this** today');
    await composer.press('Control+z');
    await select(composer, 'this');
    await composer.press('Control+e');
    await holds(composer, 'read `this` today');
    await composer.press('Control+Shift+c');
    await holds(composer, 'read this today');
    await composer.press('Control+Shift+Digit9');
    await holds(composer, '> read this today');
    await composer.press('Control+Shift+Digit9');
    await composer.press('Control+Shift+Digit8');
    await holds(composer, '- read this today');
    await composer.press('Control+Shift+Digit7');
    await holds(composer, '1. read this today');
    // The format goes to the service as any text does.
    await select(composer, 'this');
    await composer.press('Control+b');
    await holds(composer, '1. read **this** today');
    await composer.press('Enter');
    await page.locator('[data-text] li strong', { hasText: 'this' }).waitFor();
  });
});

inChromium('WEB-500: Ctrl+K makes a link of selected words, and opens the palette without a selection', async () => {
  await withStage(async (stage) => {
    const { page, composer } = await atNotes(stage);
    await composer.fill('read this today');
    await select(composer, 'this');
    await composer.press('Control+k');
    await holds(composer, 'read [this](https://) today');
    await page.keyboard.insertText('https://parley.example/a');
    await holds(composer, 'read [this](https://parley.example/a) today');
    expect(await page.getByRole('combobox', { name: 'Search' }).count()).toBe(0);
    await composer.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
  });
});

inChromium('WEB-500: edits of messages are formatted too', async () => {
  await withStage(async (stage) => {
    const ann = await atNotes(stage);
    const { page, composer } = ann;
    await ann.say('read this today');
    await composer.press('ArrowUp');
    await holds(composer, 'read this today');
    await page.getByRole('button', { name: 'Formatting' }).click();
    await select(composer, 'this');
    await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Bold' }).click();
    await holds(composer, 'read **this** today');
    await composer.press('Enter');
    await ann.timeline.locator('strong', { hasText: 'this' }).waitFor();
    expect(await ann.messages.count()).toBe(1);
  });
});

inChromium('WEB-501: the bar is opened by a button, is one stop of Tab, and stays open after a reload', async () => {
  await withStage(async (stage) => {
    const ann = await atNotes(stage);
    const { page, composer } = ann;
    const toggle = page.getByRole('button', { name: 'Formatting' });
    const bar = page.getByRole('toolbar', { name: 'Formatting' });
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await toggle.click();
    await bar.waitFor();
    expect(await bar.getByRole('button').count()).toBe(7);
    await composer.fill('one two');
    await select(composer, 'two');
    await page.keyboard.press('Shift+Tab');
    while (!(await bar.locator(':focus').count())) await page.keyboard.press('Shift+Tab');
    const focused = () => bar.locator(':focus').getAttribute('aria-label');
    expect(await focused()).toBe('Bold');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Italic');
    await page.keyboard.press('Enter');
    await holds(composer, 'one _two_');
    expect(await composer.evaluate((area) => area === document.activeElement)).toBe(true);
    await bar.getByRole('button', { name: 'Italic' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('Code');
    await page.keyboard.press('Home');
    expect(await focused()).toBe('Bold');
    await page.keyboard.press('Escape');
    expect(await composer.evaluate((area) => area === document.activeElement)).toBe(true);
    await stage.picture('format-bar', page);
    await page.reload();
    await bar.getByRole('button', { name: 'Bold' }).waitFor();
    await toggle.click();
    await bar.waitFor({ state: 'detached' });
    await page.reload();
    await composer.waitFor();
    expect(await bar.count()).toBe(0);
  });
});

inChromium('WEB-501: on a phone the bar scrolls sideways, and from right to left in Arabic', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const ann = await atNotes(stage, { ...phone, locale: 'ar', colorScheme: 'dark' });
    const { page, composer } = ann;
    await page.locator('[data-composer] button[aria-expanded]').first().waitFor();
    await page.getByRole('button', { name: 'التنسيق' }).tap();
    const bar = page.getByRole('toolbar');
    await bar.getByRole('button').nth(6).waitFor();
    const {
      scrollWidth,
      clientWidth,
      page: pageWidth,
    } = await bar.evaluate((element) => ({
      scrollWidth: element.scrollWidth,
      clientWidth: element.clientWidth,
      page: document.documentElement.scrollWidth,
    }));
    expect(clientWidth).toBeLessThanOrEqual(374);
    expect(scrollWidth).toBeGreaterThanOrEqual(clientWidth);
    expect(pageWidth).toBe(390);
    await composer.fill('واحد');
    await bar.getByRole('button', { name: 'غامق' }).focus();
    await page.keyboard.press('ArrowLeft');
    expect(await bar.locator(':focus').getAttribute('aria-label')).toBe('مائل');
    await bar.getByRole('button', { name: 'قائمة نقطية' }).tap();
    await holds(composer, '- واحد');
    // Enter makes a new line here.
    await composer.press('Enter');
    await holds(composer, '- واحد\n- ');
    await stage.picture('format-bar-phone', page);
  });
});

inChromium('WEB-503: a new line goes on with a list, ends it at an empty item, and can be undone', async () => {
  await withStage(async (stage) => {
    const { composer } = await atNotes(stage);
    await composer.pressSequentially('1. one');
    await composer.press('Shift+Enter');
    await composer.pressSequentially('two');
    await holds(composer, '1. one\n2. two');
    await composer.press('Shift+Enter');
    await holds(composer, '1. one\n2. two\n3. ');
    await composer.press('Shift+Enter');
    await holds(composer, '1. one\n2. two\n');
    await composer.press('Control+z');
    await holds(composer, '1. one\n2. two\n3. ');
  });
});
