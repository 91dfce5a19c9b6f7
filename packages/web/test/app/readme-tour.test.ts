// One person on three devices: also the source of the pictures light.png, dark.png and phone.png in docs/images.
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const KEY = 'key-of-ann';
const laptop = { viewport: { width: 1_180, height: 760 }, locale: 'en-GB' } as const;
const phone = {
  ...laptop,
  viewport: { width: 390, height: 780 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 1.5,
};

const plan = `Here is a day on foot and by tram:

| time | where |
|---|---|
| 12:00 | Tram 28 from Martim Moniz to **Graça** |
| 14:00 | Miradouro da Senhora do Monte |
| 16:00 | *Pastéis de nata* at Manteigaria |
| 19:00 | Sunset at Santa Catarina |

All of it fits on one day ticket.`;

inChromium('WEB-4: a reply that is being written is the same on three devices of a person', async () => {
  await withStage(async (stage) => {
    const { world } = stage;
    const ann = await stage.person('ann', laptop);
    const { api } = await ann.actor();
    const [ben, cleo] = [await world.member('ben'), await world.member('cleo')];
    await api.updateProfile({ display_name: 'Ann Keller' });
    await ben.api.updateProfile({ display_name: 'Ben Okafor' });
    await cleo.api.updateProfile({ display_name: 'Cleo Marsh' });
    const { id: withBen } = await ben.api.startChat({ username: 'ann' });
    await ben.api.sendMessage({ chat_id: withBen, text: 'Perfect, thanks!' });
    const books = await cleo.api.startChat({ usernames: ['ann', 'ben'], title: 'Book club' });
    await cleo.api.sendMessage({ chat_id: books.id, text: 'Thursday at eight?' });
    await ben.api.sendMessage({ chat_id: books.id, text: 'Works for me. Tea or wine?' });
    const release = await ben.api.startChat({ usernames: ['ann'], title: 'Release 0.2' });
    await ben.api.sendMessage({ chat_id: release.id, text: 'Staging is green, we can go' });
    const { id: withCleo } = await cleo.api.startChat({ username: 'ann' });
    await cleo.api.sendMessage({ chat_id: withCleo, text: 'Photos from Sunday are up' });

    world.providers.script(KEY, { chunks: [plan] });
    await api.createAgent({ slug: 'planner', display_name: 'Planner', provider: 'provider_a' });
    await api.setBotConfig({ username: 'ann:planner', secrets: { api_key: KEY } });
    const { id: chat_id } = await api.startChat({ usernames: ['cleo'], title: 'Lisbon weekend' });
    await api.addGroupAgent({ chat_id, agent_username: 'ann:planner' });
    await api.setGroupAgentMode({ chat_id, agent_username: 'ann:planner', always_on: false });
    await ann.open(chat_id);
    const ask = async (text: string) => {
      await ann.composer.fill(text);
      await ann.composer.press('Enter');
    };
    await ask('@planner what do we do on Saturday, from noon on?');
    await ann.message('one day ticket').and(ann.page.locator('[data-status=complete]')).waitFor();
    await cleo.api.sendMessage({ chat_id, text: 'Pastries at four, I’m in.' });
    const answer = world.providers.steer(KEY);
    await ask('@planner and if it rains?');
    await answer.started;
    const storageState = await ann.context.storageState();
    const dark = await stage.browser({ ...laptop, storageState, colorScheme: 'dark' });
    const small = await stage.browser({ ...phone, storageState });
    await Promise.all([dark.open(chat_id), small.open(chat_id)]);
    answer.text('Then swap the viewpoints for two roofs:\n\n');
    answer.text('1. **National Tile Museum**, ten minutes by bus from Santa Apolónia\n');
    answer.text('2. **Time Out Market** for lunch, with the');
    const texts = await Promise.all(
      [ann, dark, small].map(async ({ messages }) => {
        await messages.getByText('for lunch, with the').waitFor();
        return (await messages.getByText('for lunch, with the').textContent()) ?? '';
      }),
    );
    expect(new Set(texts).size).toBe(1);
    await stage.picture('light', ann.page);
    await stage.picture('dark', dark.page);
    await stage.picture('phone', small.page);
    answer.end();
    await ann.message('for lunch').and(ann.page.locator('[data-status=complete]')).waitFor();
  });
});
