import { pdf } from '@parley/testing/files/pdfs.ts';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withStage } from '../setup/stage.ts';

const KEY = 'key-of-ann';
const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;
const file = ({ name, buffer }: { name: string; buffer: Buffer }) => ({
  file: new File([new Uint8Array(buffer)], name),
});

/** No part of it is wider than the column of messages. */
const isInside = async (row: Locator, notice: Locator) => {
  const width = row.page().viewportSize()?.width ?? 0;
  const { right, isCut } = await notice.evaluate((one) => ({
    right: one.getBoundingClientRect().right,
    isCut: one.scrollWidth > one.clientWidth + 1,
  }));
  return right <= width && !isCut;
};

inChromium(
  'notices about an image that a model does not take, a locked PDF, and a conversation that is too long',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann', phone);
      const { page } = ann;
      const { api } = await ann.actor();
      const username = await ann.agent(KEY);
      stage.world.providers.script(KEY, ({ body }) =>
        JSON.stringify(body).includes('"image"')
          ? { status: 400, message: 'This model does not support image input.' }
          : { chunks: ['I cannot see all of it.'] },
      );
      const { id: chat_id } = await api.startChat({ username });
      await ann.open(chat_id);
      const ask = async (text: string, ...files: { file: File }[]) => {
        const attachments = await Promise.all(files.map(async (one) => ({ id: (await api.uploadFile(one)).id })));
        const before = await ann.messages.count();
        await api.sendMessage({ chat_id, text, attachments });
        await stage.world.turnsEnded();
        await expect.poll(() => ann.messages.count()).toBeGreaterThan(before);
        return ann.message('I cannot see all of it.').last();
      };
      const notices = (reply: Locator) => reply.getByRole('note');
      const announced = () => page.locator('[data-announcer]').innerText();

      const long = `${'long'.repeat(30)}.png`;
      let reply = await ask('What is on it?', file(smallPhoto(long)));
      await notices(reply).getByText('This model didn’t take').waitFor();
      expect(await isInside(reply, notices(reply).first())).toBe(true);
      await expect.poll(announced).toContain('I cannot see all of it. Note: This model didn’t take “longlong');
      await stage.picture('notice-image-phone', page);

      reply = await ask(
        'What do they say?',
        file({ name: 'contract.pdf', buffer: pdf({ isLocked: true }) }),
        file({ name: 'broken.pdf', buffer: Buffer.from('%PDF-1.7\nnothing') }),
      );
      await notices(reply).getByText('“contract.pdf”').waitFor();
      // Each cause on a line of its own.
      expect((await notices(reply).first().innerText()).split('\n')).toEqual([
        'Not read: “contract.pdf”. Protected by a password. Send a copy without one.',
        'Not read: “broken.pdf”. The content can’t be read. Send it in another format.',
      ]);
      await stage.picture('notice-pdf-phone', page);
      expect(await findings(page)).toEqual([]);

      await api.sendMessage({ chat_id, text: 'long '.repeat(6_000) });
      await stage.world.turnsEnded();
      reply = await ask('And '.repeat(1_000));
      await notices(reply).getByText('Earlier ones no longer fit.').waitFor();
      await stage.picture('notice-long-phone', page);
    });
  },
);

inChromium(
  'WEB-430: notices in replies, confirmations and deleted accounts are in the language of the app',
  async () => {
    await withStage(async (stage) => {
      const { world } = stage;
      const ann = await stage.person('ann', { ...phone, locale: 'fr' });
      const { page } = ann;
      const actor = await ann.actor();
      const { api } = actor;
      const username = await ann.agent(KEY);
      world.providers.script(KEY, { chunks: ['Rien à lire.'] });
      const { id: chat_id } = await api.startChat({ username });
      await ann.open(chat_id);
      const attachments = [
        { id: (await api.uploadFile(file({ name: 'bail.pdf', buffer: pdf({ isLocked: true }) }))).id },
      ];
      await api.sendMessage({ chat_id, text: 'Et ça ?', attachments });
      await world.turnsEnded();
      const note = /Non lu\s:\s«\sbail\.pdf\s»\. Protégé par un mot de passe\. Envoyez une copie sans mot de passe\./;
      await ann.message('Rien à lire.').getByRole('note').getByText(note).waitFor();
      await expect.poll(() => page.locator('[data-announcer]').innerText()).toMatch(note);
      expect(await page.locator('body').innerText()).not.toContain('Not read');
      await stage.picture('notice-french-phone', page);

      const bot = await world.bot(actor, 'helper');
      const { id: withBot } = await api.startChat({ username: bot.username });
      const asked = await bot.api.sendMessage({
        chat_id: withBot,
        text: '{% button action="vote:yes" label="Oui" /%}',
      });
      await api.sendComponentAction({ chat_id: withBot, message_id: asked.id, action: 'vote:yes' });
      const bob = await world.member('bob');
      const { id: withBob } = await bob.api.startChat({ username: 'ann' });
      await bob.api.sendMessage({ chat_id: withBob, text: 'Adieu' });
      await bob.api.deleteAccount({ password: 'correct horse battery staple' });
      await page.goto(world.url);
      await page.locator(`[data-chat='${withBot}']`).getByText('C’est noté.').waitFor();
      await page.locator(`[data-chat='${withBob}']`).getByText('Compte supprimé').waitFor();
      await stage.picture('words-french-phone', page);
      await page.locator(`[data-chat='${withBot}']`).tap();
      await ann.message('C’est noté.').waitFor();
    });
  },
);
