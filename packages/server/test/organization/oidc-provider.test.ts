import { Actor, createWorld } from '@parley/testing';
import { startRealIssuer } from '@parley/testing/providers/real-issuer.ts';
import { freePort } from '@parley/testing/servers/free-port.ts';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';
import { codeIn, Visitor } from '../helpers/oidc-stage.ts';

/** A browser at the issuer: keeps its cookies, follows its redirects, and fills in its forms. */
class AtIssuer {
  readonly #cookies = new Map<string, string>();

  async send(address: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = form && new URLSearchParams(form);
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }

  /** Signs in as somebody, and consents; the address that leads back. */
  async signIn(start: string, login: string, home: string): Promise<string> {
    let address = start;
    for (let steps = 0; steps < 20; steps += 1) {
      if (address.startsWith(home)) return address;
      const response = await this.send(address);
      const next = response.headers.get('location');
      const page = next === null ? await response.text() : '';
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (next !== null) address = new URL(next, address).href;
      else if (prompt === undefined) throw new Error(`the issuer answered ${response.status}: ${page.slice(0, 500)}`);
      else {
        const sent = await this.send(address, { prompt, login, password: 'any' });
        address = new URL(sent.headers.get('location') ?? '', address).href;
      }
    }
    throw new Error('the issuer leads nowhere');
  }

  /** Signs out there. */
  async signOut(issuer: string): Promise<void> {
    const page = await (await this.send(`${issuer}/session/end`)).text();
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? '';
    await this.send(`${issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
  }
}

test('OIDC-2, OIDC-5, OIDC-10: a person signs in at a certified issuer, whose sign-out ends the session here', async () => {
  const PORT = String(await freePort());
  const home = `http://127.0.0.1:${PORT}`;
  const issuer = await startRealIssuer(home);
  await using world = await createWorld({ nodes: 0, env: { PORT, OIDC: JSON.stringify([issuer.config]) } });
  const visitor = new Visitor(world);
  const there = new AtIssuer();
  const start = await visitor.get('/oidc/corp/start');
  const back = await there.signIn(start.headers.get('location') ?? '', 'ann', home);
  const answer = await visitor.get(back);
  expect(answer.status).toBe(303);
  const exchanged = await visitor.exchange(codeIn(answer) ?? '');
  const { result } = (await exchanged.json()) as { result: { token: string; account: { username: string } } }; // as declared
  expect(result.account).toMatchObject({ username: 'ann', display_name: 'ann of Corp' });
  expect(
    await world.sql('SELECT sealed IS NOT NULL AS kept, sid IS NOT NULL AS known FROM oidc_sessions'),
  ).toMatchObject([{ kept: 1, known: 1 }]);
  const ann = new Actor(world, 'ann', result.token);
  expect((await ann.api.getMe()).username).toBe('ann');
  await there.signOut(issuer.url);
  await expect.poll(() => failure(ann.api.getMe()), { timeout: 2_000 }).toMatchObject({ status: 401 });
  await issuer[Symbol.asyncDispose]();
});
