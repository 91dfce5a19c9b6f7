import { createWorld, type World, type WorldOptions } from '@parley/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type BrowserKind, openBrowser } from './chromium.ts';
import { accountIn, Person } from './person.ts';
import { PageRecord } from './page-record.ts';
import { PageWatch } from './page-watch.ts';
import { picture, placeOfFailure, saved } from './pictures.ts';

const PATIENCE_MS = 8_000;

interface BrowserOptions extends BrowserContextOptions {
  /** The address of a proxy in front of the service. */
  url?: string;
}

/**
 * For a test of what needs the app's service worker: opening without a network, pushes, shares. Elsewhere there is none:
 * storing the whole app in each new browser takes a third of the processor time.
 */
export const withServiceWorker = { serviceWorkers: 'allow' } as const;

/** A world in which each person has their own browser. */
export class Stage {
  readonly world: World;
  /** Checks that apply to all pages of any test. */
  readonly watch: PageWatch;
  readonly picture = picture;
  readonly #browser: Browser;
  readonly #people: Person[] = [];
  readonly #record = new PageRecord();

  constructor(browser: Browser, world: World) {
    this.#browser = browser;
    this.world = world;
    this.watch = new PageWatch();
  }

  /** A new browser with the app open, signed out. */
  async browser({ url = this.world.url, ...options }: BrowserOptions = {}): Promise<Person> {
    const isolated = { viewport: { width: 1_200, height: 800 }, serviceWorkers: 'block' } as const;
    const context = await this.#browser.newContext({ ...isolated, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    this.watch.context(context, url);
    this.#record.context(context);
    const person = new Person(this.world, context, await context.newPage());
    this.#people.push(person);
    await person.page.goto(url);
    return person;
  }

  /** A person who has an account and is signed in, with the app open at the list. */
  async person(username: string, options: BrowserOptions = {}): Promise<Person> {
    const { origin } = new URL(options.url ?? this.world.url);
    const localStorage = await accountIn(this.world.url, username);
    const person = await this.browser({
      ...options,
      storageState: { cookies: [], origins: [{ origin, localStorage }] },
    });
    person.username = username;
    // Not by its name: the app may be in another language.
    await person.page.locator('nav').first().waitFor();
    return person;
  }

  /** Saves what every page shows and was sent, to debug a failure. */
  async explain(name: string): Promise<void> {
    const pages = this.#people.flatMap(({ context }) => context.pages());
    const explain = async (page: Page, at: number) => {
      const path = placeOfFailure(`${name}-${at}`);
      await this.#record.save(page, `${path}.txt`);
      await saved(`${path}.png`, page);
    };
    await Promise.all(pages.map(async (page, at) => explain(page, at).catch(() => undefined)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#people.map(async ({ context }) => context.close()));
  }
}

/** Runs a test in a world with browsers; also fails if a page did something forbidden. */
export async function withStage(
  work: (stage: Stage) => Promise<void>,
  { kind, ...options }: WorldOptions & { kind?: BrowserKind } = {},
): Promise<void> {
  const browser = await openBrowser(kind);
  await using world = await createWorld(options);
  const stage = new Stage(browser, world);
  try {
    await work(stage);
    stage.watch.check();
  } catch (error) {
    await stage.explain(`failed ${expect.getState().currentTestName?.slice(0, 60) ?? ''}`.replaceAll(/\W+/g, '-'));
    throw error;
  } finally {
    await stage.close();
  }
}
