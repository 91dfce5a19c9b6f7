import { Actor, type World } from '@parley/testing';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const password = 'correct horse battery staple';

/** Somebody at a browser: what they see and do on a page, by what stands there for everyone. */
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
    // A newcomer is led to the guide; tests begin at the list.
    await page.goto(new URL('/', page.url()).href);
    await this.chats.waitFor();
  }

  /** As somebody who has an account. */
  async signIn(username: string): Promise<void> {
    await this.#goTo('Sign in', 'Sign in');
    await this.#fillIn(username, 'Sign in');
  }

  /** Another tab of the same browser, on the same page. */
  async tab(): Promise<Person> {
    const tab = new Person(this.#world, this.context, await this.context.newPage());
    tab.username = this.username;
    await tab.page.goto(this.page.url());
    return tab;
  }

  /** The same person, calling the service by themselves. */
  async actor(): Promise<Actor> {
    const token = await this.page.evaluate(() => localStorage.getItem('parley.token'));
    return new Actor(this.#world, this.username, token ?? '');
  }

  /** An agent of theirs with a key, whose replies the test writes. */
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

  /** The texts of the messages that are shown, without what stands around them. */
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

  /** Writes and sends; resolves when the service has it. */
  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
    await this.message(text).and(this.page.locator('[data-status=complete]')).last().waitFor();
  }

  /** One of the things that can be done with a message, by its menu. */
  async choose(message: Locator, item: string): Promise<void> {
    await message.hover();
    await message.getByRole('button', { name: 'More' }).click();
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** Waits until exactly this is shown of a message. */
  async sees(message: Locator, text: string): Promise<void> {
    await expect.poll(async () => message.locator('[data-text]').innerText()).toBe(text);
  }

  /** The door has two leaves; which one is open depends on what this browser was used for. */
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
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: button, exact: true }).click();
    // Beside a conversation, on a phone, it is there but hidden.
    await page.locator('nav[aria-label=Conversations]').waitFor({ state: 'attached' });
    this.username = username;
  }
}

/** ann is Ann. */
export const nameOf = (username: string): string => username.charAt(0).toUpperCase() + username.slice(1);
