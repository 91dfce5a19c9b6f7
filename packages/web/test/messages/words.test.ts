import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-38: a delta changes only its own paragraph, once, within the frame that shows it', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const bot = await stage.world.bot(bob);
    await bob.api.addGroupAgent({ chat_id, agent_username: bot.username });
    await bob.api.sendMessage({ chat_id, text: 'a **message** before' });
    await ann.open(chat_id);
    await ann.message('before').waitFor();
    const { id } = await bot.api.startMessageStream({ chat_id });
    let offset = 0;
    const grow = async (delta: string) => {
      offset += delta.length;
      await bot.api.appendMessageStream({ message_id: id, delta, offset });
    };
    await grow('The first paragraph.\n\nThe **second** one');
    await ann.message('second').waitFor();
    await ann.page.evaluate(() => {
      let isInFrame = false;
      const { port1, port2 } = new MessageChannel();
      // A task, which runs after the frame.
      port1.addEventListener('message', () => (isInFrame = false));
      port1.start();
      const begin = () => {
        isInFrame = true;
        port2.postMessage(null);
        requestAnimationFrame(begin);
      };
      requestAnimationFrame(begin);
      const seen: { isInFrame: boolean; paragraphs: (string | undefined)[] }[] = [];
      const log = document.querySelector('[role=log]');
      new MutationObserver((changes) => {
        const paragraphs = changes.map(({ target }) => target.parentElement?.closest('[data-text] p')?.textContent);
        seen.push({ isInFrame, paragraphs });
      }).observe(log ?? document, { subtree: true, childList: true, characterData: true });
      Object.assign(globalThis, { takeSeen: () => seen.splice(0) });
    });
    for (const word of ['alpha', 'beta', 'gamma']) {
      await grow(` ${word}`);
      await ann.message('second').filter({ hasText: word }).waitFor();
      const shown = await ann.message('second').locator('[data-text] p').last().textContent();
      expect(await ann.page.evaluate('takeSeen()')).toEqual([{ isInFrame: true, paragraphs: [shown] }]);
    }
    await bot.api.finishMessageStream({ message_id: id });
  });
});
