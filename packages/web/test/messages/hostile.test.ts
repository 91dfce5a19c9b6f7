import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

/** If any of these were executed it would set `hit`, open a dialog, or request another host. */
const hostile = [
  '<script>window.hit = 1; alert(1)</script>',
  '<img src=x onerror="window.hit = 1; alert(1)"><svg onload=alert(1)><iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:window.hit=1">html link</a> <style>*{display:none}</style> <base href="https://evil.example/">',
  '[a link](javascript:window.hit=1) [data](data:text/html,<script>alert(1)</script>) [vb](vbscript:alert(1))',
  '[case](JaVaScRiPt:alert(1)) [entity](java&#115;cript:alert(1)) [tab](java\tscript:alert(1)) <javascript:alert(1)>',
  '![pixel](https://evil.example/pixel.png) ![js](javascript:alert(1)) ![x](" onerror="window.hit=1)',
  '[user](https://good.example@evil.example/) [quote](https://x.example/"onmouseover="window.hit=1)',
  '{% button label="<img src=x onerror=alert(1)>" url="javascript:window.hit=1" /%}',
  '{% card title="x" url="javascript:alert(1)" image="https://evil.example/card.png" %}{% /card %}',
  '{% if $window.hit = 1 %} {% $x.constructor("alert(1)")() /%} {% %} {%%} {% card {% /card %}{% __proto__ /%} {% /',
  '{% form id=constructor __proto__=1 %}{% input name="__proto__" value="<b>" /%}{% /form %}',
  'wide'.repeat(2_000),
  'right \u202Eto left\u2066 \u0627\u0644\u0639\u0631\u0628\u064A\u0629 \u202E\u2066\u2069 \u05E2\u05D1\u05E8\u05D9\u05EA \u202C left',
  `${'> '.repeat(200)}deep ${'*'.repeat(500)} ${'['.repeat(500)} ${'`'.repeat(301)}`,
  '\u0001\uFFFF\u200B\u200D💥\u0301'.repeat(20) + 'end of garbage',
  '```js\n</code></pre><script>alert(1)</script>\n```',
] as const;

inChromium('WEB-8: hostile messages run no script, request no other host and do not overflow', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const eve = await stage.world.member('eve');
    const bot = await stage.world.bot(eve, 'bot');
    await eve.api.updateProfile({ display_name: '<img src=x onerror=alert(1)>' });
    const group = await eve.api.startChat({ usernames: ['ann'], title: '<script>alert(1)</script>' });
    const chat_id = group.id;
    await eve.api.addGroupAgent({ chat_id, agent_username: bot.username });
    // Messages from before the page loads, and while it is open.
    for (const text of hostile) await eve.api.sendMessage({ chat_id, text });
    await ann.open(chat_id);
    for (const text of hostile) await bot.api.sendMessage({ chat_id, text });
    const { id } = await bot.api.startMessageStream({ chat_id });
    let offset = 0;
    for (const delta of hostile.map((text) => `${text}\n\n`)) {
      offset += new TextEncoder().encode(delta).length;
      await bot.api.appendMessageStream({ message_id: id, delta, offset });
    }
    await bot.api.finishMessageStream({ message_id: id });
    await bot.api.sendMessage({ chat_id, text: 'the end' });
    await ann.page.getByRole('button', { name: 'Jump to latest' }).click();
    await ann.message('the end').waitFor();
    await stage.picture('hostile', ann.page);

    // Scroll past all of them and click every control: none leads anywhere.
    const seen = new Set<string>();
    const scroller = ann.timeline;
    await scroller.press('End');
    for (let isTop = false; !isTop;) {
      const found = await scroller.evaluate((element) => {
        const links = [...element.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href);
        const alive = element.querySelectorAll('script, iframe, object, embed, base, style, form[action], svg[onload]');
        const handlers = [...element.querySelectorAll('*')].filter((one) =>
          one.getAttributeNames().some((name) => name.startsWith('on')),
        );
        const images = [...element.querySelectorAll('img')].map(({ src }) => src);
        const ids = [...element.querySelectorAll<HTMLElement>('[data-message]')].map(
          (one) => one.dataset['message'] ?? '',
        );
        const isWide = element.scrollWidth > element.clientWidth;
        const { scrollTop } = element;
        element.scrollTop -= element.clientHeight / 2;
        return { links, alive: alive.length, handlers: handlers.length, images, ids, isWide, isTop: scrollTop === 0 };
      });
      isTop = found.isTop;
      for (const one of found.ids) seen.add(one);
      expect(found).toMatchObject({ alive: 0, handlers: 0, isWide: false });
      for (const link of found.links) expect(new URL(link).protocol).toMatch(/^(https?|mailto):$/);
      for (const source of found.images) expect(new URL(source).origin).toBe(stage.world.url);
    }
    const { items } = await api.getChatHistory({ chat_id, limit: 100 });
    expect([...seen].toSorted()).toEqual(
      items
        .filter(({ service }) => !service)
        .map((message) => message.id)
        .toSorted(),
    );
    expect(await ann.page.evaluate(() => 'hit' in window)).toBe(false);
  });
});
