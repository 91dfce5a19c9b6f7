import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const nowhere = '00000000-0000-7000-8000-000000000000';

/** Ann with a conversation of 120 messages, of which message 40 was deleted. */
async function conversation(stage: Stage) {
  const ann = await stage.person('ann');
  const bob = await stage.world.member('bob');
  const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Long' });
  const ids: string[] = [];
  for (let at = 0; at < 120; at += 1)
    ids.push((await bob.api.sendMessage({ chat_id, text: `message ${at} ${'with words '.repeat(at % 9)}` })).id);
  const deleted = ids[40] ?? '';
  await bob.api.deleteMessages({ message_ids: [deleted] });
  const { api } = await ann.actor();
  await api.markRead({ chat_id, message_id: ids.at(-1) ?? '' });
  return { ann, chat_id, deleted };
}

async function scrollTo(person: Person, end: 'top' | 'bottom', text: string): Promise<void> {
  await expect
    .poll(async () => {
      await person.timeline.evaluate(
        (element, isTop) => (element.scrollTop = isTop ? 0 : element.scrollHeight),
        end === 'top',
      );
      return person.message(text).count();
    })
    .toBeGreaterThan(0);
}

inChromium('WEB-30: a link to a deleted message leads to its place and says that it was deleted', async () => {
  await withStage(async (stage) => {
    const { ann, chat_id, deleted } = await conversation(stage);
    await ann.page.goto(`${stage.world.url}/chat/${chat_id}?m=${deleted}`);
    await ann.page.getByText('That message was deleted.').waitFor();
    await ann.message('message 41').waitFor();
    await stage.picture('deleted-target', ann.page);
    expect(await ann.page.getByText('Couldn’t load').count()).toBe(0);
    await scrollTo(ann, 'top', 'message 0 ');
    await scrollTo(ann, 'bottom', 'message 119');
  });
});

inChromium('WEB-30: a link to an unknown message opens the conversation at its end', async () => {
  await withStage(async (stage) => {
    const { ann, chat_id } = await conversation(stage);
    // The service answers not_found.
    stage.watch.expect(/status of 404/);
    await ann.page.goto(`${stage.world.url}/chat/${chat_id}?m=${nowhere}`);
    await ann.page.getByText('That message was deleted.').waitFor();
    await ann.message('message 119').waitFor();
    await scrollTo(ann, 'top', 'message 0 ');

    // The same link within the conversation does not move the list.
    const before = await ann.texts();
    await ann.page.evaluate((path) => {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/chat/${chat_id}?m=${nowhere}`);
    await expect.poll(() => new URL(ann.page.url()).search).toBe('');
    await ann.page.getByText('That message was deleted.').waitFor();
    expect(await ann.texts()).toEqual(before);
    await scrollTo(ann, 'bottom', 'message 119');
  });
});
