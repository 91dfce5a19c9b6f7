import type { Actor } from '@parley/testing';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

/** Messages with many different heights. */
const textOf = (at: number): string =>
  at % 7 === 0
    ? `message ${at}\n\n\`\`\`\n${'a line of code\n'.repeat(at % 5)}\`\`\``
    : at % 3 === 0
      ? `message ${at} ${'with many words '.repeat(at % 40)}`
      : `message ${at}`;

async function longChat(stage: Stage, count: number): Promise<{ ann: Person; bob: Actor; chat_id: string }> {
  const ann = await stage.person('ann');
  const bob = await stage.world.member('bob');
  const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Long' });
  for (let at = 0; at < count; at += 1) await bob.api.sendMessage({ chat_id, text: textOf(at) });
  const { api } = await ann.actor();
  const last = (await api.getChatHistory({ chat_id, limit: 1 })).items.at(-1);
  await api.markRead({ chat_id, message_id: last?.id ?? '' });
  await ann.open(chat_id);
  await ann.message(`message ${count - 1}`).waitFor();
  return { ann, bob, chat_id };
}

/** The topmost fully visible message and its position. */
const anchorOf = (person: Person) =>
  person.timeline.evaluate((scroller) => {
    const { top } = scroller.getBoundingClientRect();
    for (const row of scroller.querySelectorAll<HTMLElement>('[data-message]')) {
      const { top: at } = row.getBoundingClientRect();
      if (at >= top) return { id: row.dataset['message'] ?? '', at: at - top };
    }
    return null;
  });

inChromium('WEB-9: loading older pages does not move the visible messages by a pixel', async () => {
  await withStage(async (stage) => {
    const { ann } = await longChat(stage, 300);
    const shown = () => ann.messages.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-message') ?? ''));
    const loaded = new Set(await shown());
    let jumps = 0;
    // Scroll up to the first message, most of the window's height at a time.
    for (let step = 0; step < 400; step += 1) {
      const before = await ann.timeline.evaluate(async (scroller) => {
        const frame = async () => new Promise((resolve) => requestAnimationFrame(resolve));
        const { top, height } = scroller.getBoundingClientRect();
        scroller.scrollTop -= height * 0.8;
        await frame();
        await frame();
        const rows = [...scroller.querySelectorAll<HTMLElement>('[data-message]')];
        const row = rows.find((one) => one.getBoundingClientRect().top >= top);
        const at = row?.getBoundingClientRect().top ?? 0;
        // Pages arrive now: watch the visible row in each frame.
        let moved = 0;
        for (let frames = 0; frames < 40; frames += 1) {
          await frame();
          // A missing row was moved out of view.
          const now = row?.isConnected ? row.getBoundingClientRect().top : Infinity;
          if (row) moved = Math.max(moved, Math.abs(now - at));
          if (frames > 4 && !scroller.querySelector('[aria-label="Loading older messages"]')) break;
        }
        const ids = [...scroller.querySelectorAll<HTMLElement>('[data-message]')].map(
          (one) => one.dataset['message'] ?? '',
        );
        return { moved, ids, isTop: scroller.scrollTop === 0 && scroller.textContent.includes('message 0') };
      });
      for (const id of before.ids) loaded.add(id);
      jumps = Math.max(jumps, before.moved);
      if (before.isTop) break;
    }
    expect(jumps).toBeLessThan(1);
    expect(loaded.size).toBe(300);
  });
});

inChromium('WEB-9: the list follows new messages and a streaming reply only at the bottom', async () => {
  await withStage(async (stage) => {
    const { ann, bob, chat_id } = await longChat(stage, 60);
    const { api } = await ann.actor();
    const bot = await stage.world.bot(bob);
    await bob.api.addGroupAgent({ chat_id, agent_username: bot.username });
    const fromEnd = () => ann.timeline.evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop);
    await bob.api.sendMessage({ chat_id, text: `new and long ${'with many words '.repeat(60)}` });
    await ann.message('new and long').waitFor();
    await expect.poll(fromEnd).toBeLessThan(2);
    const { id } = await bot.api.startMessageStream({ chat_id });
    let offset = 0;
    const grow = async (delta: string): Promise<void> => {
      offset += delta.length;
      await bot.api.appendMessageStream({ message_id: id, delta, offset });
    };
    for (let line = 0; line < 40; line += 1) await grow(`line ${line} of a reply\n\n`);
    await ann.message('line 39').waitFor();
    await expect.poll(fromEnd).toBeLessThan(2);
    // The read marker has been sent.
    await expect.poll(async () => (await api.getChat({ chat_id })).unread_count).toBe(0);

    // Scrolled up: new messages move nothing.
    await ann.timeline.hover();
    await ann.page.mouse.wheel(0, -2_400);
    const toEnd = ann.page.getByRole('button', { name: 'Jump to latest' });
    await toEnd.waitFor();
    let anchor = await anchorOf(ann);
    await expect
      .poll(async () => {
        const before = anchor;
        anchor = await anchorOf(ann);
        return anchor?.at === before?.at && anchor?.id === before?.id;
      })
      .toBe(true);
    for (let line = 40; line < 80; line += 1) await grow(`line ${line} of a reply\n\n`);
    await bot.api.finishMessageStream({ message_id: id });
    for (let at = 0; at < 5; at += 1)
      await bob.api.sendMessage({ chat_id, text: `unseen ${at} ${'more words '.repeat(40)}` });
    await toEnd.getByText('5').waitFor();
    expect(await anchorOf(ann)).toEqual(anchor);
    await stage.picture('scrolled-up', ann.page);

    // Back at the bottom the list follows again.
    await toEnd.click();
    await ann.message('unseen 4').waitFor();
    await expect.poll(fromEnd).toBeLessThan(2);
    await ann.say('I am here again');
    await expect.poll(fromEnd).toBeLessThan(2);
  });
});
