import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'vitest';

const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY_SERVER = '/usr/bin/Xvfb';
const [BROWSER = ''] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser');
const WAIT_MS = 15_000;

const howToHaveWebKit = [DRIVER, DISPLAY_SERVER, BROWSER].every((path) => existsSync(path))
  ? null
  : 'WebKit is missing: apt-get install webkit2gtk-driver xvfb';

/** WebKit in a window that nobody sees, by the WebDriver protocol (https://www.w3.org/TR/webdriver2). */
export class WebKit implements AsyncDisposable {
  readonly #session: string;
  readonly #started: AsyncDisposableStack;

  private constructor(session: string, started: AsyncDisposableStack) {
    this.#session = session;
    this.#started = started;
  }

  static async open(): Promise<WebKit> {
    if (howToHaveWebKit !== null) throw new Error(howToHaveWebKit);
    await using started = new AsyncDisposableStack();
    // It chooses a free display and writes its number to the fourth descriptor.
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const;
    const screen = spawn(DISPLAY_SERVER, ['-displayfd', '3', '-screen', '0', '1200x900x24'], { stdio: [...stdio] });
    started.defer(async () => end(screen));
    const [display] = (await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer]; // a pipe, as asked
    const port = await freePort();
    const env = {
      ...process.env,
      DISPLAY: `:${String(display).trim()}`,
      LIBGL_ALWAYS_SOFTWARE: '1',
      // A container seldom permits the namespaces of a sandbox; the pages are our own.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    };
    const driver = spawn(DRIVER, [`--port=${port}`], { env, stdio: 'ignore' });
    started.defer(async () => end(driver));
    const url = `http://127.0.0.1:${port}`;
    const isReady = async () => {
      const status = await fetch(`${url}/status`).catch(() => null);
      return status?.ok ?? false;
    };
    await expect.poll(isReady, { timeout: WAIT_MS }).toBe(true);
    const options = { binary: BROWSER, args: ['--automation'] };
    const { sessionId } = (await command('POST', `${url}/session`, {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
    })) as { sessionId: string }; // the protocol's form
    const session = `${url}/session/${sessionId}`;
    started.defer(async () => void (await command('DELETE', session).catch(() => undefined)));
    return new WebKit(session, started.move());
  }

  async goTo(url: string): Promise<void> {
    await command('POST', `${this.#session}/url`, { url });
  }

  async reload(): Promise<void> {
    await command('POST', `${this.#session}/refresh`, {});
  }

  /** Runs the body of a function in the page. */
  async run(script: string, ...args: readonly unknown[]): Promise<unknown> {
    return command('POST', `${this.#session}/execute/sync`, { script, args });
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    await expect.poll(async () => this.run(`return Boolean(${expression})`), { timeout: WAIT_MS }).toBe(true);
  }

  /** Types into a field, with the keys of a keyboard. */
  async type(selector: string, text: string): Promise<void> {
    await this.until(`document.querySelector(${JSON.stringify(selector)})`);
    const found = await command('POST', `${this.#session}/element`, { using: 'css selector', value: selector });
    const [element] = Object.values(found as Record<string, string>);
    await command('POST', `${this.#session}/element/${element}/value`, { text });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started.disposeAsync();
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

async function command(method: string, url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null }; // the protocol's form
  if (value?.error !== undefined) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has one
  server.close();
  await once(server, 'close');
  return port;
}
