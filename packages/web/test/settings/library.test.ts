import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
const username = 'ann:provider_a';
const handbook = '# Leave\n\nEverybody has twenty-five days of holiday.';

inChromium(
  'WEB-760: the page of an agent has its library, to add files and pages, and to open them to others',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann', phone);
      const { page } = ann;
      const { api } = await ann.actor();
      await api.setAgentKey({ provider: 'provider_a', api_key: 'a-key' });
      await page.goto(`${stage.world.url}/settings/agents/ann:provider_a`);
      await page.locator('summary').filter({ hasText: 'Library' }).click();
      const library = page.getByRole('region', { name: 'Library' });
      await library.getByText('Nothing here yet.').waitFor();
      await library
        .locator('input[type=file]')
        .setInputFiles({ name: 'Handbook.md', mimeType: 'text/markdown', buffer: Buffer.from(handbook) });
      const card = library.getByRole('listitem', { name: 'Handbook.md' });
      await card.getByText('Ready', { exact: true }).waitFor();
      await card.getByRole('switch', { name: 'Others may open it' }).click();
      await expect.poll(async () => (await api.getAgentSources({ username })).items[0]?.open).toBe(true);
      await card.getByRole('button', { name: 'Rename Handbook.md' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('The rules');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await library.getByRole('listitem', { name: 'The rules' }).waitFor();
      await library.getByRole('button', { name: 'Add a page' }).click();
      await page.getByRole('dialog').getByLabel('Address of the page').fill('127.0.0.1/intranet');
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
      await library.getByText('The people who run this service don’t allow this address.').waitFor();
      // Files that are dropped are added too.
      const files = await page.evaluateHandle(() => {
        const data = new DataTransfer();
        data.items.add(new File(['dropped words'], 'Dropped.txt', { type: 'text/plain' }));
        return data;
      });
      await library.dispatchEvent('drop', { dataTransfer: files });
      await library.getByRole('listitem', { name: 'Dropped.txt' }).getByText('Ready', { exact: true }).waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await stage.picture('library-phone', page);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findings(page, ['color-contrast'])).toEqual([]);
      await stage.picture('library-dark', page);
      await library.getByRole('button', { name: 'Remove Dropped.txt' }).click();
      await page.getByRole('dialog', { name: 'Remove Dropped.txt?' }).getByRole('button', { name: 'Remove' }).click();
      await library.getByRole('listitem', { name: 'Dropped.txt' }).waitFor({ state: 'detached' });
    });
  },
);

inChromium(
  'WEB-761, WEB-762: others see from where a reply is, and the names in the library, and open what is open',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const bob = await stage.person('bob', { ...phone, locale: 'ar' });
      const { api } = await ann.actor();
      await api.setAgentKey({ provider: 'provider_a', api_key: 'a-key' });
      for (const [name, open] of [
        ['Handbook.md', false],
        ['Open.md', true],
      ] as const) {
        const { id: file_id } = await api.uploadFile({ file: new File([handbook], name) });
        await api.addAgentSource({ username, file_id, open });
      }
      await expect
        .poll(async () => (await api.getAgentSources({ username })).items.map(({ state }) => state))
        .toEqual(['ready', 'ready']);
      const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Work' });
      await api.addGroupAgent({ chat_id, agent_username: username });
      await api.setGroupAgentMode({ chat_id, agent_username: username, always_on: true });
      const answers = [
        { chunks: [{ call: 'search_library', input: { query: 'holiday' } }], finish: 'tool_use' as const },
        { chunks: ['Twenty-five [1], and so says [2].'] },
      ];
      stage.world.providers.script('a-key', () => answers.shift() ?? { chunks: ['Nothing more.'] });
      await api.sendMessage({ chat_id, text: 'How many holidays?' });
      await bob.open(chat_id);
      const { page } = bob;
      const from = page.locator('[data-citations]');
      await from.getByText('المصدر:').waitFor();
      expect(await from.getByRole('button').allInnerTexts()).toHaveLength(2);
      await from.getByRole('button', { name: /Handbook\.md/u }).click();
      await from.getByRole('status').filter({ hasText: 'مالك الوكيل وحده' }).waitFor();
      const opened = bob.context.waitForEvent('page');
      await from.getByRole('button', { name: /Open\.md/u }).click();
      await (await opened).close().catch(() => undefined);
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await stage.picture('citations-phone-arabic', page);
      await page.getByRole('button', { name: 'التفاصيل' }).click();
      const row = page.getByRole('listitem').filter({ hasText: '@ann:provider_a' });
      await row.getByRole('button').last().click();
      await page.getByRole('menuitem', { name: 'مكتبته' }).click();
      const dialog = page.getByRole('dialog', { name: /مكتبة/u });
      await dialog.getByText('Handbook.md').waitFor();
      expect(await dialog.getByRole('link').allInnerTexts()).toEqual(['Open.md']);
      expect(await findings(page)).toEqual([]);
      await stage.picture('library-names-arabic', page);
    });
  },
);
