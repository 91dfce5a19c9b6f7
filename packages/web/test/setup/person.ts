import { createApi } from '@parley/client';
import { Actor, type World } from '@parley/testing';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const password = 'correct horse battery staple';

/** A person at a browser: acts on a page through its visible texts and roles. */
export class Person {
  readonly context: BrowserContext;
  readonly page: Page;
  username = '';
  readonly #world: World;

  constructor(world: World, context: BrowserContext, page: Page) {
    this.#world = world;
    this.context = context;
    this.page = page;
  }

  async signUp(username: string): Promise<void> {
    const { page } = this;
    await this.#goTo('Create an account', 'Create account');
    await page.getByLabel('Your name').fill(nameOf(username));
    await this.#fillIn(username, 'Create account');
    // Sign-up opens the guide's chat; tests start at the list.
    await page.goto(new URL('/', page.url()).href);
    await this.chats.waitFor();
  }

  /** Signs in to an existing account. */
  async signIn(username: string): Promise<void> {
    await this.#goTo('Sign in', 'Sign in');
    await this.#fillIn(username, 'Sign in');
  }

  /**
   * Another window of the same browser, on the same page. A second tab of one window would hide the first, and Chromium
   * draws a hidden page once a second: each click would wait two seconds.
   */
  async tab(): Promise<Person> {
    const opened = this.context.waitForEvent('page');
    await this.page.evaluate(() => void window.open('about:blank', '_blank', 'popup,noopener'));
    const tab = new Person(this.#world, this.context, await opened);
    tab.username = this.username;
    await tab.page.goto(this.page.url());
    return tab;
  }

  /** The same person as an API client. */
  async actor(): Promise<Actor> {
    const token = await this.page.evaluate(() => localStorage.getItem('parley.token'));
    return new Actor(this.#world, this.username, token ?? '');
  }

  /** An agent of this person with a key; the test scripts its replies. */
  async agent(key: string): Promise<string> {
    await (await this.actor()).api.setAgentKey({ provider: 'provider_a', api_key: key });
    return `${this.username}:provider_a`;
  }

  get chats(): Locator {
    return this.page.getByRole('navigation', { name: 'Conversations' });
  }

  chat(title: string): Locator {
    return this.chats.getByRole('link').filter({ hasText: title });
  }

  get composer(): Locator {
    return this.page.locator('[data-composer=timeline] textarea');
  }

  get timeline(): Locator {
    return this.page.getByRole('log', { name: 'Messages' });
  }

  get messages(): Locator {
    return this.timeline.locator('[data-message]');
  }

  message(text: string): Locator {
    return this.messages.filter({ hasText: text });
  }

  /** The texts of the visible messages. */
  texts(): Promise<string[]> {
    return this.timeline.locator('[data-text]').allInnerTexts();
  }

  async open(chatId: string): Promise<void> {
    await this.page.goto(new URL(`/chat/${chatId}`, this.page.url()).href);
    await this.composer.waitFor();
  }

  async openChat(title: string): Promise<void> {
    await this.chat(title).click();
    await this.composer.waitFor();
  }

  /** Sends a message; resolves when the service has stored it. */
  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
    await this.message(text).and(this.page.locator('[data-status=complete]')).last().waitFor();
  }

  /** Chooses an item of a message's menu. */
  async choose(message: Locator, item: string): Promise<void> {
    await message.hover();
    await message.getByRole('button', { name: 'More' }).click();
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** Waits until a message shows exactly this text. */
  async sees(message: Locator, text: string): Promise<void> {
    await expect.poll(async () => message.locator('[data-text]').innerText()).toBe(text);
  }

  /** Switches to sign-up or sign-in: the first form depends on the browser's history. */
  async #goTo(way: string, button: string): Promise<void> {
    const submit = this.page.locator('button[type=submit]', { hasText: button });
    const other = this.page.locator('button[type=button]', { hasText: way });
    await submit.or(other).waitFor();
    if (await other.isVisible()) await other.click();
    await submit.waitFor();
  }

  async #fillIn(username: string, button: string): Promise<void> {
    const { page } = this;
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: button, exact: true }).click();
    // On a phone it is mounted but hidden while a conversation is open.
    await page.locator('nav[aria-label=Conversations]').waitFor({ state: 'attached' });
    this.username = username;
  }
}

/** Makes an account, as sign-up on the page does; returns what the page stores. Faster than three loads of a page. */
export async function accountIn(url: string, username: string): Promise<{ name: string; value: string }[]> {
  const device = { name: 'Chromium', platform: 'web' };
  const account = { username, password, display_name: nameOf(username), device };
  const { token, device_token } = await createApi({ url }).signUp(account);
  const stored = {
    'parley.devices': JSON.stringify({ [username]: device_token }),
    'parley.token': token,
    'parley.username': username,
  };
  return Object.entries(stored).map(([name, value]) => ({ name, value }));
}

/** The display name for a username: "ann" is "Ann". */
export const nameOf = (username: string): string => username.charAt(0).toUpperCase() + username.slice(1);
