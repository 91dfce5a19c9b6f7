import { startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;

inChromium(
  'WEB-161, CUSTOM-9: the server beside the field of a key is the one that the service checks; if the owner moved the agent, nothing is saved',
  async () => {
    await using first = await startModelServer();
    await using second = await startModelServer();
    await withStage(
      async (stage) => {
        const bob = await stage.person('bob', phone);
        const { page } = bob;
        const ann = await stage.world.member('ann');
        const { username } = await ann.api.createAgent({
          slug: 'local',
          display_name: 'Local',
          provider: 'provider_b',
          base_url: first.baseUrl,
          model: 'llama',
        });
        const { id } = await ann.api.startChat({ usernames: ['bob', username], title: 'Plans' });
        const { api } = await bob.actor();
        const set = async () => (await api.getMyBotConfig({ username })).my_secrets.length;
        await bob.open(id);
        await page.getByRole('button', { name: 'Details' }).tap();
        await page.getByRole('button', { name: 'More about Local' }).tap();
        await page.getByRole('menuitem', { name: 'Your settings for it' }).tap();
        const dialog = page.getByRole('dialog', { name: 'Local' });
        const key = dialog.getByLabel('API key');
        await dialog.getByText(`This key is sent to ${first.origin}.`).waitFor();
        await key.fill('meant-for-the-first');
        await dialog.getByLabel('Model').fill('mine');
        await ann.api.updateAgent({ username, base_url: second.baseUrl });
        await dialog.getByRole('button', { name: 'Save' }).tap();
        await dialog
          .getByRole('alert')
          .getByText(
            `The owner moved this agent from ${first.origin} to ${second.origin}. Nothing was saved. Enter your key again only if ${second.origin} may have it.`,
          )
          .waitFor();
        await dialog.getByText(`This key is sent to ${second.origin}.`).waitFor();
        await stage.picture('moved-agent-phone', page);
        expect(await findings(page)).toEqual([]);
        expect(await key.inputValue()).toBe('');
        expect(await dialog.getByLabel('Model').inputValue()).toBe('mine');
        expect(await set()).toBe(0);
        // What the page shows now is what the service expects.
        await key.fill('meant-for-the-second');
        await dialog.getByRole('button', { name: 'Save' }).tap();
        await dialog.getByText('Saved').waitFor();
        expect(await set()).toBe(1);
        expect(await api.getMyBotConfig({ username })).toMatchObject({ my_config: { model: 'mine' } });
        await api.sendMessage({ chat_id: id, text: `@${username} hello` });
        await stage.world.turnsEnded();
        expect(first.requests).toHaveLength(0);
        expect(second.requests.map((request) => request.key)).toEqual(['meant-for-the-second']);
      },
      { env: { AGENT_ENDPOINTS: `${first.origin},${second.origin}` } },
    );
  },
);
