import type { Locator } from 'playwright-core';
import { fingerOf } from '../setup/finger.ts';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const KEY = 'key-of-ann';
const env = {
  PROVIDER_A_MODEL: 'm',
  AGENT_PRICES: '{"currency":"USD","models":{"m":{"input":2.5,"output":10}}}',
};

/** Ann's agent has answered her and Bob in a group. */
async function answered(stage: Stage, options: Parameters<Stage['person']>[1] = {}) {
  const ann = await stage.person('ann', options);
  const { api } = await ann.actor();
  const agent_username = await ann.agent(KEY);
  const bob = await stage.person('bob');
  const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Plans' });
  await api.addGroupAgent({ chat_id, agent_username, always_on: true });
  stage.world.providers.script(
    KEY,
    { chunks: ['To Ann.'], usage: { input: 1_200, output: 340 } },
    { chunks: ['To Bob.'], usage: { input: 1_500, output: 20 } },
  );
  for (const who of [api, (await bob.actor()).api]) {
    await who.sendMessage({ chat_id, text: 'When do we leave?' });
    await stage.world.turnsEnded();
  }
  return { ann, bob, chat_id };
}

/** Counts the calls of getReplyPrices, and the messages that they name. */
function watched(person: Person): number[] {
  const calls: number[] = [];
  person.page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const text = String(payload);
      // As the client sends calls.
      if (text.includes('"getReplyPrices"'))
        calls.push((JSON.parse(text) as { params: { message_ids: string[] } }).params.message_ids.length);
    }),
  );
  return calls;
}

const facts = (message: Locator) => message.locator('[data-facts]');

inChromium('WEB-148: a reply tells its time and tokens, and its price to the one who paid', async () => {
  await withStage(
    async (stage) => {
      const { ann, bob, chat_id } = await answered(stage);
      const [anns, bobs] = [watched(ann), watched(bob)];
      await ann.open(chat_id);
      const [toAnn, toBob] = [ann.message('To Ann.'), ann.message('To Bob.')];
      await toBob.waitFor();
      expect(await facts(ann.timeline).count()).toBe(0);
      const { height } = (await toAnn.boundingBox()) ?? {};
      await toAnn.hover();
      await facts(toAnn).getByText('$0.0064').waitFor();
      expect(await facts(toAnn).innerText()).toMatch(/^\d+ s\s*1,200 tokens read, 340 written\s*\$0\.0064$/);
      // The other messages stay where they are.
      expect((await toAnn.boundingBox())?.height).toBe(height);
      await stage.picture('reply-facts', ann.page);
      // Her key paid for Bob's question too.
      await toBob.hover();
      await facts(toBob).getByText('$0.004').waitFor();
      await toAnn.hover();
      await facts(toAnn).getByText('$0.0064').waitFor();
      expect(anns).toEqual([1, 1]);
      // A message of a person has none.
      await ann.message('When do we leave?').first().hover();
      await expect.poll(() => facts(ann.timeline).count()).toBe(0);

      await bob.open(chat_id);
      const read = bob.message('To Bob.');
      await read.hover();
      await facts(read).getByText('1,500 tokens read, 20 written').waitFor();
      await expect.poll(() => bobs.length).toBe(1);
      await bob.message('To Ann.').hover();
      await facts(bob.message('To Ann.')).getByText('340 written').waitFor();
      expect(await bob.page.getByText('$').count()).toBe(0);
      // He neither owns the agent nor asked.
      expect(bobs).toEqual([1]);
      await ann.page.emulateMedia({ colorScheme: 'dark' });
      await toAnn.hover();
      await facts(toAnn).getByText('$0.0064').waitFor();
      await stage.picture('reply-facts-dark', ann.page);
      expect(await findings(ann.page)).toEqual([]);
    },
    { env },
  );
});

inChromium('WEB-635: on a touch screen they stand in the sheet of the reply, not below every reply', async () => {
  await withStage(
    async (stage) => {
      const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
      const { ann, chat_id } = await answered(stage, phone);
      const calls = watched(ann);
      await ann.open(chat_id);
      const reply = ann.message('To Ann.');
      await reply.waitFor();
      expect(await facts(ann.timeline).count()).toBe(0);
      const finger = fingerOf(await ann.context.newCDPSession(ann.page));
      await finger.down(reply);
      const sheet = ann.page.getByRole('dialog', { name: 'Message' });
      await sheet.locator('[data-facts]').getByText('$0.0064').waitFor();
      await finger.up();
      expect(calls).toEqual([1]);
      await stage.picture('reply-facts-phone', ann.page);
      await ann.page.emulateMedia({ colorScheme: 'dark' });
      await stage.picture('reply-facts-phone-dark', ann.page);
      expect(await ann.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    },
    { env },
  );
});
