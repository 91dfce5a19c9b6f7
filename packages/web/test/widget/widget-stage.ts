import type { Actor } from '@parley/testing';
import { Backend } from '@parley/testing/world/backend.ts';
import type { BrowserContextOptions, Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { type Stage, withStage } from '../setup/stage.ts';
import { type Attributes, ForeignSite } from './foreign-site.ts';

/** A visitor of the foreign site. */
export class Visitor {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get button(): Locator {
    return this.page.getByRole('button', { name: /^(?:Open|Close) chat/ });
  }

  get frame(): FrameLocator {
    return this.page.frameLocator('iframe[title=Chat]');
  }

  get composer(): Locator {
    return this.frame.locator('[data-composer=timeline] textarea');
  }

  /** The frame itself, to run code in. */
  async document(): Promise<Frame> {
    const frame = await (await this.page.locator('iframe[title=Chat]').elementHandle())?.contentFrame();
    if (!frame) throw new Error('the widget has no frame');
    return frame;
  }

  message(text: string): Locator {
    return this.frame.getByRole('log', { name: 'Messages' }).locator('[data-message]').filter({ hasText: text });
  }

  async open(): Promise<void> {
    await this.button.click();
    await this.composer.waitFor();
  }

  /** Sends a message; resolves when the service has stored it. `shown`: its text without marks. */
  async say(text: string, shown = text): Promise<void> {
    await this.composer.fill(text);
    await this.frame.getByRole('button', { name: 'Send', exact: true }).click();
    await this.message(shown).and(this.frame.locator('[data-status=complete]')).waitFor();
  }
}

interface Shop {
  readonly stage: Stage;
  readonly site: ForeignSite;
  readonly backend: Backend;
  /** The backend's owner, who also owns the agent. */
  readonly owner: Actor;
  readonly agent: Actor;
  /** Opens the site with the widget, by default on the direct chat with the agent. */
  visit(attributes?: Attributes, options?: BrowserContextOptions): Promise<Visitor>;
}

/** A shop with users of its own, whose page has the widget. `isAllowed`: the service has its origin in WIDGET_ORIGINS. */
export async function withShop(work: (shop: Shop) => Promise<void>, isAllowed = true): Promise<void> {
  const site = await ForeignSite.open();
  const env: Record<string, string> = isAllowed ? { WIDGET_ORIGINS: `https://other.example, ${site.origin}` } : {};
  await withStage(
    async (stage) => {
      // Before the world, which counts open connections.
      await using _ = site;
      const { world } = stage;
      const owner = await world.person('owner');
      const agent = await world.bot(owner, 'helper');
      const backend = await Backend.make(world, 'owner');
      site.token = () => backend.createToken('ann', { display_name: 'Ann', agent_username: agent.username });
      // Requests from the page to the service are what this is about.
      stage.watch.expect(new RegExp(`^asked ${world.url}/`));
      await work({
        stage,
        site,
        backend,
        owner,
        agent,
        async visit(attributes = { chat: agent.username }, options = {}) {
          site.embed(world.url, attributes);
          const { page } = await stage.browser({ ...options, url: site.origin });
          return new Visitor(page);
        },
      });
    },
    { env },
  );
}
