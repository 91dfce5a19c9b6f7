import { addSignIn } from '@parley/testing/tools/fake-sign-in.ts';
import { startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const PUBLIC = 'https://chat.example';

/** A person whose browser finds the service at its public address too. */
async function personAt(stage: Stage, name: string): Promise<Person> {
  const person = await stage.person(name);
  await person.context.route(`${PUBLIC}/**`, async (route) => {
    const response = await fetch(route.request().url().replace(PUBLIC, stage.world.url));
    const contentType = response.headers.get('content-type') ?? '';
    await route.fulfill({ status: response.status, contentType, body: await response.text() });
  });
  return person;
}

/** Presses the button of a login, allows it on the page of the server, and confirms it where that leads back to. */
async function signIn({ context, page, username }: Person, place: Locator): Promise<void> {
  const opened = context.waitForEvent('page');
  await place.getByRole('button', { name: 'Sign in at', exact: false }).click();
  const away = await opened;
  await away.getByRole('heading', { name: 'Sign in to the bank' }).waitFor();
  await away.getByRole('link', { name: 'Allow' }).click();
  // The service says for whom it is before it keeps anything.
  await away.getByText(`when @${username} asks it`, { exact: false }).waitFor();
  await away.getByRole('link', { name: 'Connect' }).click();
  await away.getByRole('heading', { name: 'You are signed in' }).waitFor();
  await away.waitForLoadState('load');
  await away.close();
  await page.bringToFront();
}

inChromium(
  'WEB-495: an owner adds a server with a sign-in; somebody else is asked for theirs in the chat, the page of the server leads back, and the reply goes on',
  async () => {
    await using server = await startToolServer({ peek: { title: 'Look up', run: () => 'the balance is 7' } });
    const bank = addSignIn(server);
    await withStage(
      async (stage) => {
        // The page of the server, and the one to which it leads back.
        stage.watch.expect(new RegExp(server.origin), new RegExp(PUBLIC));
        const [ann, ben] = [await personAt(stage, 'ann'), await personAt(stage, 'ben')];
        const agent = await ann.agent('key');
        const { api } = await ann.actor();
        const { page } = ann;

        const tools = async (): Promise<Locator> => {
          await page.goto(new URL('/settings/agents', page.url()).href);
          const details = page
            .locator('details')
            .filter({ has: page.locator('summary', { hasText: /^Tools$/ }) })
            .first();
          await details.locator('summary').click();
          return details;
        };
        await (await tools()).getByRole('button', { name: 'Add a server' }).click();
        const dialog = page.getByRole('dialog', { name: 'Add a server of tools' });
        await dialog.getByLabel('Address').fill(server.url);
        await dialog.getByLabel('Short name').fill('bank');
        await dialog.getByLabel('Account', { exact: true }).selectOption('asker');
        await dialog.getByLabel('How it knows the account').selectOption('oauth');
        await dialog.getByRole('button', { name: 'Add' }).click();
        const added = page.locator('[data-server=bank]');
        await added.getByText('You have to sign in there first.').waitFor();
        await signIn(ann, added);
        const form = await tools();
        await added.getByText('Ready').waitFor();
        await added.getByRole('switch', { name: 'Look up' }).click();
        await added.getByLabel('What Look up does').selectOption('Only reads');
        await form.getByRole('button', { name: 'Save tools' }).click();
        await expect
          .poll(async () => (await api.getToolServers({ username: agent })).items[0]?.tools)
          .toEqual([{ name: 'peek', writes: false }]);

        const { id: chat_id } = await api.startChat({ usernames: ['ben'], title: 'Household' });
        await api.addGroupAgent({ chat_id, agent_username: agent });
        const answers = [{ chunks: [{ call: 'bank_peek', input: {} }], finish: 'tool_use' }, { chunks: ['It is 7.'] }];
        stage.world.providers.script('key', () => answers.shift() ?? { chunks: ['Nothing more.'] });
        await ben.open(chat_id);
        await ben.say(`@${agent} how much do I have?`);
        const card = ben.page.locator('[data-decision=login]');
        await card.getByText('needs you to sign in', { exact: false }).waitFor();
        expect(await findings(ben.page, ['button-name', 'color-contrast', 'label'])).toEqual([]);
        await stage.picture('login-oauth-card', ben.page);
        await signIn(ben, card);
        await card.getByText('Signed in', { exact: false }).waitFor();
        // What is read with one's account is for the group only after one has allowed that.
        await ben.page.locator('[data-decision=call]').getByRole('button', { name: 'Allow once' }).click();
        await ben.timeline.getByText('It is 7.').waitFor();
        expect(server.calls.map(({ token }) => token)).toEqual(['access-2']);
        expect(bank.registered).toHaveLength(2);
      },
      { env: { TOOL_ENDPOINTS: server.origin, PUBLIC_URL: PUBLIC } },
    );
  },
);
