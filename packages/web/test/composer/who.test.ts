import { startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const who = ({ page }: Person) => page.locator('[data-composer=timeline] [data-who]');
const says = async (person: Person, text: string) => {
  await expect.poll(async () => who(person).innerText()).toBe(text);
};

/** Of an agent of somebody else, where another agent is. */
const counts = 'If it asks other agents, that counts as your request.';

/** A group of ann, who has a keyed agent and a bot there, and bob, with ann and bob at their pages. */
async function group(stage: Stage) {
  const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
  const agent = await ann.agent('key');
  const actor = await ann.actor();
  const { id: chat_id } = await actor.api.startChat({ usernames: ['bob'], title: 'Plans' });
  await actor.api.addGroupAgent({ chat_id, agent_username: agent });
  const bot = await stage.world.bot(actor, 'helper');
  await actor.api.addGroupAgent({ chat_id, agent_username: bot.username });
  await Promise.all([ann.open(chat_id), bob.open(chat_id)]);
  return { ann, bob, api: actor.api, agent, bot, chat_id };
}

/** The requests of previews that a page sends, over its socket. */
function previews(page: Page): { count: number } {
  const seen = { count: 0 };
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes('"previewDispatch"')) seen.count += 1;
    }),
  );
  return seen;
}

inChromium('WEB-110: the line above the composer says who will answer and who pays, and nothing moves', async () => {
  await withStage(async (stage) => {
    const { ann, bob, api, agent, chat_id } = await group(stage);
    const seen = previews(bob.page);
    await bob.open(chat_id);
    await says(bob, '');
    const place = async () => bob.composer.evaluate((one) => one.getBoundingClientRect().top);
    const before = await place();
    await bob.composer.fill(`@${agent} and @ann:helper, what do you think?`);
    await says(
      bob,
      'Claude of Ann · ann and helper · ann answer, paid by ann. If they ask other agents, that counts as your request.',
    );
    expect(await place()).toBe(before);
    expect(await who(bob).getByRole('status').count()).toBe(1);
    await ann.composer.fill(`@${agent}?`);
    await says(ann, 'Claude of Ann · ann answers, paid by you.');
    await ann.composer.fill('@ann:nobody?');
    await says(ann, '@ann:nobody isn’t in this chat.');

    await api.setBotConfig({ username: agent, pays_for: 'nobody' });
    await bob.composer.fill(`@${agent}?`);
    await says(bob, 'Claude of Ann · ann can’t answer without a key.');
    await bob.composer.fill('just us');
    await says(bob, '');
    // What is sent, edited or a command fires nobody.
    stage.world.providers.script('key', { chunks: ['ok'] });
    await api.setBotConfig({ username: agent, pays_for: 'groups' });
    await bob.composer.fill(`@${agent}!`);
    await says(bob, `Claude of Ann · ann answers, paid by ann. ${counts}`);
    await bob.composer.press('Enter');
    expect(await who(bob).innerText()).toBe('');
    await bob.message('ok').waitFor();
    await bob.choose(bob.message('!').first(), 'Edit');
    await expect.poll(async () => bob.composer.inputValue()).toBe(`@${agent}!`);
    await bob.composer.fill(`@${agent}, and more`);
    expect(await who(bob).innerText()).toBe('');
    await bob.composer.press('Escape');
    const { count } = seen;
    await bob.composer.fill('@ann:helper?');
    await says(bob, `helper · ann answers, paid by ann. ${counts}`);
    // The edit asked nothing.
    expect(seen.count).toBe(count + 1);
  });
});

inChromium('WEB-110: it names the tools of the agent, with whose account, and its budget; on a phone too', async () => {
  await using server = await startToolServer({ peek: {}, pay: {} });
  await withStage(
    async (stage) => {
      const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } as const;
      const ann = await stage.person('ann', phone);
      const { api } = await ann.actor();
      const agent = await ann.agent('key');
      const tools = ['peek', 'pay'].map((name) => ({ name, writes: true }));
      const bank = { name: 'bank', url: server.url, auth: 'bearer', approval: 'writes', tools } as const;
      await api.setAgentTools({ username: agent, servers: [{ ...bank, identity: 'asker' }] });
      const { id } = await api.startChat({ username: agent });
      await ann.open(id);
      await ann.composer.fill('How much do I have?');
      await says(
        ann,
        'Claude of Ann · ann answers, paid by you. It may use bank (peek and pay; with your account). It asks again after 25 calls.',
      );
      await stage.picture('who-tools-phone', ann.page);
      await ann.page.setViewportSize({ width: 1_280, height: 800 });
      await stage.picture('who-tools', ann.page);
    },
    { env: { TOOL_ENDPOINTS: server.origin } },
  );
});

inChromium('WEB-110: the service is asked when mentions change, not at every key, and not without agents', async () => {
  await withStage(async (stage) => {
    const { ann, agent, api } = await group(stage);
    const seen = previews(ann.page);
    await ann.page.reload();
    await ann.composer.waitFor();
    await ann.composer.pressSequentially('a text of many keys', { delay: 20 });
    await ann.composer.fill(`a text of many keys for @${agent}`);
    await says(ann, 'Claude of Ann · ann answers, paid by you.');
    await ann.composer.pressSequentially(' and then more of them', { delay: 20 });
    expect([1, 2]).toContain(seen.count);
    const asked = seen.count;
    const { id } = await api.startChat({ username: 'bob' });
    await ann.open(id);
    await ann.composer.pressSequentially('hello @bob', { delay: 20 });
    await ann.say('hello');
    expect(await who(ann).count()).toBe(0);
    expect(seen.count).toBe(asked);
  });
});

inChromium('WEB-110: on a phone a second line covers no part of the last message', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } as const;
    const ann = await stage.person('ann', phone);
    const { api } = await ann.actor();
    const agent = await ann.agent('key');
    await api.updateAgent({ username: agent, display_name: 'Reviewer of long and winding sentences' });
    const { username } = await api.createAgent({
      slug: 'editor',
      display_name: 'Editor of everything else',
      provider: 'provider_a',
    });
    await stage.world.member('bob');
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Plans' });
    for (const agent_username of [agent, username]) await api.addGroupAgent({ chat_id, agent_username });
    for (let at = 0; at < 12; at += 1) await api.sendMessage({ chat_id, text: `line ${at}` });
    await ann.open(chat_id);
    const last = ann.message('line 11');
    await last.waitFor();
    await ann.composer.fill(`@${agent} and @${username}, what do you think of it?`);
    const line = who(ann).getByRole('status');
    await expect.poll(async () => (await line.boundingBox())?.height).toBe(40);
    await stage.picture('who-two-lines-phone', ann.page);
    const text = await last.locator('[data-text]').boundingBox();
    expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThanOrEqual((await line.boundingBox())?.y ?? 0);
  });
});
