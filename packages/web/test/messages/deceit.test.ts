import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const foreign = 'https://tracker.example/pixel.png';

inChromium('WEB-2: a photo on another host is not loaded; a click opens it in a new tab', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const eve = await stage.world.member('eve');
    const { id: chat_id } = await eve.api.startChat({ username: 'ann' });
    const pictures = [
      { kind: 'photo', url: '/files/a', thumbnail_url: foreign },
      { kind: 'photo', url: '//tracker.example/pixel.png' },
      { kind: 'photo', url: foreign, thumbnail_url: foreign, name: 'cat' },
    ] as const;
    for (const photo of pictures) await eve.api.sendMessage({ chat_id, text: 'look', attachments: [photo] });
    await eve.api.sendMessage({ chat_id, text: `![pixel](${foreign})\n\n{% card image="${foreign}" /%}` });
    // The first photo's file does not exist.
    stage.watch.expect(/status of 40\d/);
    await ann.open(chat_id);
    const shown = ann.page.getByRole('link', { name: 'tracker.example' });
    await expect.poll(async () => shown.count()).toBeGreaterThanOrEqual(3);
    expect(
      await shown.evaluateAll((links) => links.map((link) => [link.getAttribute('target'), link.getAttribute('rel')])),
    ).toEqual(Array.from({ length: await shown.count() }, () => ['_blank', 'noopener noreferrer nofollow']));
    await stage.picture('foreign-pictures', ann.page);
  });
});

inChromium('WEB-62: a form has no password fields and says above each button who sees the values', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bot = await stage.world.bot(await ann.actor(), 'guide');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: bot.username });
    await bot.api.sendMessage({
      chat_id,
      text: [
        '{% form title="Sign in" id="a" %}{% input type="password" name="secret" label="Password" /%}{% /form %}',
        '{% form title="Again" id="b" %}\n- {% password name="other" label="Secret" /%}\n- {% submit label="Go" /%}\n{% /form %}',
        '{% form title="Fields" id="c" fields=[{type: "password", name: "third", label: "Third"}] /%}',
      ].join('\n\n'),
    });
    await ann.open(chat_id);
    const forms = ann.timeline.getByRole('form');
    await expect.poll(async () => forms.count()).toBe(3);
    expect(await ann.timeline.locator('input[type=password]').count()).toBe(0);
    expect(await ann.timeline.locator('input[name=secret]').getAttribute('type')).toBe('text');
    const buttons = ann.timeline.locator('form button[type=submit]');
    const notes = ann.timeline.getByText('Everyone in this conversation will see');
    expect(await notes.count()).toBe(await buttons.count());
    for (let at = 0; at < (await buttons.count()); at += 1) {
      const [note, button] = [await notes.nth(at).boundingBox(), await buttons.nth(at).boundingBox()];
      expect((note?.y ?? 0) + (note?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
    }
    await stage.picture('forms', ann.page);
  });
});

inChromium('a button that was pressed has a mark that stands out from it', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bot = await stage.world.bot(await ann.actor(), 'guide');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: bot.username });
    const styles = ['primary', 'danger', 'quiet', 'plain'];
    const text = styles.map((style) => `{% button action="${style}" label="${style}" style="${style}" /%}`).join(' ');
    await bot.api.sendMessage({ chat_id, text });
    await ann.open(chat_id);
    for (const style of styles) {
      // The answers to the presses quote them below.
      const button = ann.timeline.getByRole('button', { name: style }).first();
      await button.click();
      const mark = button.getByLabel('Done');
      await mark.waitFor();
      const colorOf = (element: Element) => getComputedStyle(element).color;
      const ground = await button.evaluate((element) => getComputedStyle(element).backgroundColor);
      expect(await mark.evaluate(colorOf), style).not.toBe(ground);
    }
  });
});

inChromium('WEB-63: an agent is shown with its owner’s username everywhere', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const eve = await stage.world.member('eve');
    const bot = await stage.world.bot(eve, 'guide');
    await bot.api.updateProfile({ display_name: 'Support desk' });
    const { api } = await ann.actor();
    const group = await eve.api.startChat({ usernames: ['ann'], title: 'Plans' });
    await eve.api.addGroupAgent({ chat_id: group.id, agent_username: bot.username });
    const { id: chat_id } = await api.startChat({ username: bot.username });
    await bot.api.sendMessage({ chat_id, text: 'hello' });
    const { id } = await bot.api.sendMessage({ chat_id: group.id, text: 'all of you' });
    await api.sendMessage({ chat_id: group.id, text: 'yes', reply_to_message_id: id });
    await ann.open(group.id);
    const name = 'Support desk · eve';
    await ann.message('all of you').getByText(name).first().waitFor();
    await ann.message('yes').getByText(name).first().waitFor();
    await ann.chats.getByText(name, { exact: true }).first().waitFor();
    await bot.api.pushAlert({ to_username: 'ann', text: 'news' });
    await ann.page.getByRole('region', { name: 'Alerts' }).getByText(name).waitFor();
    await ann.composer.fill('@sup');
    await ann.page.getByRole('option').getByText(name).first().waitFor();
    await ann.composer.fill('');
    await ann.openChat(name);
    await ann.page.getByRole('heading', { name }).first().waitFor();
    await stage.picture('agent-names', ann.page);
  });
});

inChromium('WEB-65: a service notice is centred and shows no sender', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const eve = await stage.world.member('eve');
    const { id: chat_id } = await eve.api.startChat({ usernames: ['ann'], title: 'Plans' });
    await eve.api.sendMessage({ chat_id, text: 'The server was restarted', service: { kind: 'deploy' } });
    await eve.api.sendMessage({ chat_id, text: '', service: { kind: 'call_started', targets: ['ann'] } });
    await ann.open(chat_id);
    const notice = (text: string) => ann.messages.filter({ hasText: text });
    expect(await notice('The server was restarted').innerText()).toBe('The server was restarted');
    expect(await notice('Call started').innerText()).toBe('Call started @ann');
    const look = await notice('The server was restarted').evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      const around = element.parentElement?.getBoundingClientRect() ?? new DOMRect();
      const style = getComputedStyle(element);
      return {
        offCentre: Math.abs((left + right) / 2 - (around.left + around.right) / 2),
        isNarrow: right - left < around.width / 2,
        isRound: Number.parseFloat(style.borderRadius) > 8,
        hasGround: style.backgroundColor !== 'rgba(0, 0, 0, 0)',
      };
    });
    expect(look.offCentre).toBeLessThan(2);
    expect(look).toMatchObject({ isNarrow: true, isRound: true, hasGround: true });
    await stage.picture('service-notices', ann.page);
  });
});
