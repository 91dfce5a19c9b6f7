import type { Result } from '@parley/protocol';

/** A browser as far as a sign-in needs one: it keeps the cookie, and follows no redirect by itself. */
export class Visitor {
  readonly #url: string;
  cookie: string | undefined;

  /** `world` has the address of the service, which may be known to people by another one. */
  constructor(world: { url: string }) {
    this.#url = world.url;
  }

  async get(path: string): Promise<Response> {
    const headers = this.cookie === undefined ? {} : { cookie: this.cookie };
    const { pathname, search } = new URL(path, this.#url);
    const response = await fetch(this.#url + pathname + search, { redirect: 'manual', headers });
    this.cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? this.cookie;
    return response;
  }

  /** Begins a sign-in, and goes to the issuer; the address at which it leads back. */
  async toCallback(query = '', issuer = 'corp'): Promise<string> {
    const start = await this.get(`/oidc/${issuer}/start${query}`);
    if (start.status !== 302) throw new Error(`start answered ${start.status}: ${await start.text()}`);
    const there = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' });
    return there.headers.get('location') ?? '';
  }

  /** The whole way to the callback's answer. */
  callback = async (query = '', issuer = 'corp'): Promise<Response> => this.get(await this.toCallback(query, issuer));

  async exchange(code: string): Promise<Response> {
    const headers = { 'content-type': 'application/json', ...(this.cookie !== undefined && { cookie: this.cookie }) };
    const body = JSON.stringify({ code });
    return fetch(`${this.#url}/api/exchangeSignIn`, { method: 'POST', headers, body });
  }

  /** Signs in; what signIn would have answered. */
  async signIn(query = '', issuer = 'corp'): Promise<Result<'exchangeSignIn'>> {
    const response = await this.callback(query, issuer);
    const code = codeIn(response);
    if (code === undefined) throw new Error(`the callback answered ${response.status}: ${await response.text()}`);
    const exchanged = await this.exchange(code);
    const { result } = (await exchanged.json()) as { result: Result<'exchangeSignIn'> }; // as declared
    return result;
  }
}

export const codeIn = (response: Response): string | undefined =>
  /#sign_in=([\w-]+)$/.exec(response.headers.get('location') ?? '')?.[1];
