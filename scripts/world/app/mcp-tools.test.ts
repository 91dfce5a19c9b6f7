import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@parley/testing/programs/needs.ts';
import { expect, test } from 'vitest';
import { asking, calls } from '../../../packages/server/test/hands/hands-stage.ts';
import { findings } from '../../../packages/web/test/setup/axe.ts';
import { withStage } from '../../../packages/web/test/setup/stage.ts';
import { fromNpm, PATIENCE_MS } from '../installed.ts';
import { everything, filesystem, toolVersions } from '../mcp-programs.ts';

test(
  'WEB-484, WEB-485, WEB-489: servers of others are added by their addresses, and their tools are used, seen and allowed',
  { ...needs('bash', 'chromium'), timeout: PATIENCE_MS },
  async () => {
    await using packages = await fromNpm(toolVersions);
    const root = join(packages.folder, 'documents');
    await mkdir(root);
    await writeFile(join(root, 'rent.txt'), 'The rent is 800.');
    await using files = await filesystem(packages.folder, root);
    await using all = await everything(packages.folder);
    const env = { TOOL_ENDPOINTS: `${files.origin},${all.origin}` };
    await withStage(
      async (stage) => {
        const ann = await stage.person('ann');
        const agent = await ann.agent('key');
        const { api } = await ann.actor();
        const { page } = ann;
        const looks = async (name: string): Promise<void> => {
          await stage.picture(`${name}-desktop`, page);
          await page.setViewportSize({ width: 360, height: 800 });
          await page.emulateMedia({ colorScheme: 'dark' });
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
          expect(await findings(page, ['color-contrast'])).toEqual([]);
          await stage.picture(`${name}-phone-dark`, page);
          await page.emulateMedia({ colorScheme: 'light' });
          await page.setViewportSize({ width: 1_200, height: 800 });
        };
        await page.goto(new URL('/settings/agents', page.url()).href);
        const form = page
          .locator('details')
          .filter({ has: page.locator('summary', { hasText: /^Tools$/ }) })
          .first();
        await form.locator('summary').click();
        for (const [name, url] of [
          ['files', files.url],
          ['everything', all.url],
        ] as const) {
          await form.getByRole('button', { name: 'Add a server' }).click();
          const dialog = page.getByRole('dialog', { name: 'Add a server of tools' });
          await dialog.getByLabel('Address').fill(url);
          await dialog.getByLabel('Short name').fill(name);
          if (name === 'files') await looks('world-add');
          await dialog.getByRole('button', { name: 'Add' }).click();
          await form.locator(`[data-server=${name}]`).getByText('Ready', { exact: true }).waitFor({ timeout: 30_000 });
        }
        const card = form.locator('[data-server=files]');
        await card.scrollIntoViewIfNeeded();
        await looks('world-offers');
        const choose = async (server: string, title: string, reads: boolean): Promise<void> => {
          const of = form.locator(`[data-server=${server}]`);
          await of.getByRole('switch', { name: title, exact: true }).click();
          if (reads) await of.getByLabel(`What ${title} does`, { exact: true }).selectOption('Only reads');
        };
        await choose('files', 'Read Text File', true);
        await choose('files', 'Write File', false);
        await choose('everything', 'Get Tiny Image Tool', true);
        await form.getByRole('button', { name: 'Save tools' }).click();
        await expect
          .poll(async () => (await api.getToolServers({ username: agent })).items.map(({ tools }) => tools?.length))
          .toEqual([2, 1]);
        await looks('world-chosen');

        const { id: chat_id } = await api.startChat({ username: agent });
        await ann.open(chat_id);
        const paid = join(root, 'paid.txt');
        const answers = [
          asking('Let me look.', calls('read_text_file', { path: join(root, 'rent.txt') }, 'files')),
          asking(calls('get-tiny-image', {}, 'everything')),
          asking('I write it down.', calls('write_file', { path: paid, content: 'Paid 800 on Monday.\n' }, 'files')),
          { chunks: ['The rent is paid, and I have noted it.'] },
        ];
        stage.world.providers.script('key', () => answers.shift() ?? { chunks: ['Nothing more.'] });
        await ann.say('Is the rent paid?');
        const asked = page.locator('[data-decision]').last();
        await asked.getByRole('button', { name: 'Allow once' }).waitFor({ timeout: 30_000 });
        await looks('world-asks');
        await asked.getByRole('button', { name: 'Allow once' }).click();
        await ann.message('The rent is paid, and I have noted it.').waitFor({ timeout: 30_000 });
        expect(await readFile(paid, 'utf8')).toContain('Paid 800');
        const folded = ann.timeline.getByRole('group', { name: /^Tool: Read Text File/ });
        await looks('world-folded');
        await folded.getByRole('button', { name: 'Read Text File' }).click();
        await folded.getByText('The rent is 800.').first().waitFor();
        expect(await findings(page)).toEqual([]);
        await looks('world-unfolded');

        const arabic = await stage.browser({
          locale: 'ar',
          viewport: { width: 360, height: 800 },
          colorScheme: 'dark',
          storageState: await ann.context.storageState(),
        });
        await arabic.page.goto(page.url());
        await arabic.page.locator('[data-decision]').last().waitFor();
        await stage.picture('world-chat-arabic', arabic.page);
        await arabic.page.goto(new URL('/settings/agents', page.url()).href);
        await arabic.page.locator('details').first().waitFor();
        for (const one of await arabic.page.locator('details > summary').all()) await one.click();
        await arabic.page.locator('[data-server=files]').waitFor();
        await arabic.page.locator('[data-server=files]').scrollIntoViewIfNeeded();
        expect(await arabic.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
        await stage.picture('world-offers-arabic', arabic.page);
      },
      { env },
    );
  },
);
