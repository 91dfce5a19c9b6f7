import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

type Claims = Record<string, unknown>;
interface Grant {
  subject: string;
  claims: Claims;
}
interface Keys {
  alg: string;
  kid: string;
  privateKey: CryptoKey;
  jwk: object;
}

const CLIENT = { id: 'parley', secret: 'a secret of the client' };
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';

async function newKeys(alg: string, kid: string): Promise<Keys> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), alg, kid, use: 'sig' } };
}

/**
 * An OpenID Connect issuer on loopback, which a test lets misbehave. It signs in whoever `person` names without asking, and
 * checks PKCE and the client as a real one does.
 */
export class FakeIssuer implements AsyncDisposable {
  url = '';
  readonly client = CLIENT;
  /** Who signs in next. */
  person: Grant = { subject: 'sub-1', claims: { preferred_username: 'ann' } };
  /** Changes the claims of the next id_tokens. */
  idToken: (claims: JWTPayload) => JWTPayload = (claims) => claims;
  /** Makes the next id_tokens. */
  sign: (claims: JWTPayload) => Promise<string> | string;
  /** Answers instead of the issuer; true if it has. */
  instead: (path: string, response: ServerResponse) => boolean = () => false;
  /** Subjects that are disabled. */
  readonly disabled = new Set<string>();
  refreshes = 0;
  keyFetches = 0;
  #keys: Keys;
  readonly #server;
  readonly #codes = new Map<string, Grant & { challenge: string; nonce: string | null; redirectUri: string }>();
  readonly #refreshTokens = new Map<string, Grant>();
  #made = 0;

  private constructor(keys: Keys) {
    this.#keys = keys;
    this.sign = (claims) => this.signed(claims);
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(alg = 'RS256'): Promise<FakeIssuer> {
    const issuer = new FakeIssuer(await newKeys(alg, 'key-1'));
    await new Promise<void>((resolve) => issuer.#server.listen(0, '127.0.0.1', resolve));
    const { port } = issuer.#server.address() as AddressInfo; // it listens on TCP
    issuer.url = `http://127.0.0.1:${port}`;
    return issuer;
  }

  /** What `OIDC` says of it. */
  config(more: object = {}): object {
    const { id: client_id, secret: client_secret } = CLIENT;
    return { id: 'corp', name: 'Corp', issuer: this.url, client_id, client_secret, ...more };
  }

  /** Publishes other keys from now on. */
  async changeKeys(alg = this.#keys.alg): Promise<void> {
    this.#keys = await newKeys(alg, `key-${(this.#made += 1) + 1}`);
  }

  get publicKey(): object {
    return this.#keys.jwk;
  }

  signed(claims: JWTPayload, typ?: string): Promise<string> {
    const { alg, kid, privateKey } = this.#keys;
    return new SignJWT(claims).setProtectedHeader({ alg, kid, ...(typ !== undefined && { typ }) }).sign(privateKey);
  }

  /** The claims of a logout token of now. */
  logoutClaims(more: JWTPayload): JWTPayload {
    const now = Math.floor(Date.now() / 1_000);
    const events = { [LOGOUT]: {} };
    return { iss: this.url, aud: CLIENT.id, iat: now, exp: now + 120, jti: `j${(this.#made += 1)}`, events, ...more };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    if (this.instead(url.pathname, response)) return;
    const json = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname === '/.well-known/openid-configuration') json(this.#discovery());
    else if (url.pathname === '/keys') {
      this.keyFetches += 1;
      json({ keys: [this.#keys.jwk] });
    } else if (url.pathname === '/authorize') this.#authorize(url.searchParams, response);
    else if (url.pathname === '/token') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const basic = `Basic ${Buffer.from(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret).replace(/%20/g, '+')}`).toString('base64')}`;
      if (request.headers.authorization !== basic) json({ error: 'invalid_client' }, 401);
      else await this.#token(form, json);
    } else json({ error: 'not_found' }, 404);
  }

  #discovery(): object {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256', 'none'],
    };
  }

  #authorize(query: URLSearchParams, response: ServerResponse): void {
    const code = `code-${(this.#made += 1)}`;
    const redirectUri = query.get('redirect_uri') ?? '';
    const challenge = query.get('code_challenge') ?? '';
    this.#codes.set(code, { ...this.person, challenge, nonce: query.get('nonce'), redirectUri });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
    response.writeHead(302, { location: back.href }).end();
  }

  async #token(form: URLSearchParams, json: (body: object, status?: number) => void): Promise<void> {
    const refused = () => json({ error: 'invalid_grant' }, 400);
    let grant: Grant | undefined;
    let nonce: string | null = null;
    if (form.get('grant_type') === 'refresh_token') {
      this.refreshes += 1;
      const token = form.get('refresh_token') ?? '';
      grant = this.#refreshTokens.get(token);
      this.#refreshTokens.delete(token);
      if (grant) grant = { ...grant, ...(grant.subject === this.person.subject && this.person) };
    } else {
      const code = this.#codes.get(form.get('code') ?? '');
      this.#codes.delete(form.get('code') ?? '');
      const digest = await crypto.subtle.digest('SHA-256', Buffer.from(form.get('code_verifier') ?? ''));
      const isOwn = Buffer.from(digest).toString('base64url') === code?.challenge;
      if (isOwn && code?.redirectUri === form.get('redirect_uri')) [grant, nonce] = [code, code?.nonce ?? null];
    }
    if (!grant || this.disabled.has(grant.subject)) return refused();
    const now = Math.floor(Date.now() / 1_000);
    const { subject, claims } = grant;
    const standard = { iss: this.url, aud: CLIENT.id, sub: subject, iat: now, exp: now + 300 };
    const id_token = await this.sign(this.idToken({ ...standard, ...(nonce !== null && { nonce }), ...claims }));
    const refresh_token = `refresh-${(this.#made += 1)}`;
    this.#refreshTokens.set(refresh_token, { subject, claims });
    return json({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token, refresh_token });
  }
}
