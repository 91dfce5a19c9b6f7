import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import { AnswerTooLarge, boundedFetch } from '../../outbound/bounded-fetch.ts';
import type { Fetch } from '../../outbound/guarded-fetch.ts';
import { library, McpConnection } from '../mcp-connection.ts';
import { ToolFault } from '../tool-fault.ts';

/** Maximum bytes of a document or an answer of an authorization server. */
const MAX_BYTES = 256 * 1024;

/** Who asks for tokens where. */
export interface Issuer {
  url: string;
  metadata: AuthorizationServerMetadata;
  client: OAuthClientInformationMixed;
  redirectUrl: string;
  /** The server of tools, for which alone the tokens are to be good. */
  resource: string | undefined;
  /** The scopes that the login asked for. */
  scope?: string | undefined;
}

/** What a login gave. */
export interface Tokens {
  access: string;
  refresh: string | undefined;
  /** Milliseconds since the epoch; undefined if the server did not say. */
  expiresAt: number | undefined;
  issuer: Issuer;
  /** Scopes that a call needed and the login had not asked for: the next one does. */
  wanted?: string;
}

/** Our part of OAuth 2.1: what goes to the authorization server of a server of tools. Every request is guarded and bounded. */
export class OauthClient {
  readonly #fetch: Fetch;
  readonly #publicUrl: URL | null;

  constructor(fetch: Fetch, publicUrl: URL | null) {
    this.#fetch = fetch;
    this.#publicUrl = publicUrl;
  }

  /** Where people come back to; undefined if the operator has set no PUBLIC_URL. */
  get redirectUrl(): string | undefined {
    return this.#publicUrl ? new URL('/oauth/tools/callback', this.#publicUrl).href : undefined;
  }

  /** The document that says who this client is: its address is its id (TOOL-22). */
  document(): Record<string, unknown> | undefined {
    const { redirectUrl } = this;
    if (this.#publicUrl === null || redirectUrl === undefined) return undefined;
    return { client_id: this.#documentUrl(this.#publicUrl), ...metadataOf(redirectUrl, this.#publicUrl) };
  }

  #documentUrl = (publicUrl: URL): string => new URL('/oauth/tools/client.json', publicUrl).href;

  /**
   * Begins a login: the address at which the person signs in, and what is needed when they come back. `former`: of a login
   * for the same server; the new one asks for its scopes too.
   */
  async begin(
    serverUrl: string,
    state: string,
    former: Pick<Tokens, 'issuer' | 'wanted'> | undefined,
    signal: AbortSignal,
  ) {
    const { discoverOAuthServerInfo, registerClient, startAuthorization, computeScopeUnion } = await library();
    const { redirectUrl } = this;
    if (this.#publicUrl === null || redirectUrl === undefined) throw new ToolFault('off', 'there is no PUBLIC_URL');
    const fetchFn = this.#bounded(signal);
    const { resourceMetadataUrl, scope: asked } = await this.#challengeOf(serverUrl, signal);
    const found = await discoverOAuthServerInfo(serverUrl, {
      fetchFn,
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
    });
    const { authorizationServerUrl: url, authorizationServerMetadata: metadata, resourceMetadata } = found;
    if (!metadata) throw new ToolFault('protocol', 'it does not say where people sign in');
    await requireOwn(serverUrl, resourceMetadata?.resource);
    const takesDocuments =
      'client_id_metadata_document_supported' in metadata && metadata.client_id_metadata_document_supported === true;
    const described = former?.wanted === undefined ? resourceMetadata?.scopes_supported?.join(' ') : undefined;
    const scope = withRefresh(
      computeScopeUnion(former?.issuer.scope, former?.wanted, asked ?? described),
      metadata.scopes_supported,
    );
    const clientMetadata = {
      ...metadataOf(redirectUrl, this.#publicUrl),
      token_endpoint_auth_method: methodFor(metadata.token_endpoint_auth_methods_supported),
    };
    const client: OAuthClientInformationMixed =
      takesDocuments && this.#publicUrl.protocol === 'https:'
        ? { client_id: this.#documentUrl(this.#publicUrl) }
        : // Deprecated in favour of the document, which only some servers take.
          // oxlint-disable-next-line typescript/no-deprecated -- see above
          await registerClient(url, { metadata, clientMetadata, fetchFn, ...(scope !== undefined && { scope }) });
    const resource = resourceMetadata?.resource;
    const { authorizationUrl, codeVerifier } = await startAuthorization(url, {
      metadata,
      clientInformation: client,
      redirectUrl,
      state,
      ...(scope !== undefined && { scope }),
      ...(resource !== undefined && { resource }),
    });
    const issuer: Issuer = { url, metadata: needed(metadata), client, redirectUrl, resource, scope };
    return { url: authorizationUrl.href, codeVerifier, issuer };
  }

  /** What the server says to a listing without a credential: where people sign in, and which scopes they need. */
  async #challengeOf(url: string, signal: AbortSignal): Promise<Challenge> {
    const stop = new AbortController();
    const end = (): void => stop.abort(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    try {
      const connection = await McpConnection.open(this.#fetch, { url, token: undefined }, false, stop);
      await connection.list(stop).finally(() => void connection.close());
      return {};
    } catch (error) {
      return await readChallenge(error instanceof ToolFault ? error.challenge : undefined);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** Redeems the code with which a person came back. */
  async redeem(
    issuer: Issuer,
    given: { code: string; iss: string | undefined; codeVerifier: string },
    now: number,
    signal: AbortSignal,
  ): Promise<Tokens> {
    const { url, metadata, client, redirectUrl, resource } = issuer;
    const { exchangeAuthorization } = await library();
    const tokens = await exchangeAuthorization(url, {
      metadata,
      clientInformation: client,
      authorizationCode: given.code,
      codeVerifier: given.codeVerifier,
      redirectUri: redirectUrl,
      fetchFn: this.#bounded(signal),
      ...(given.iss !== undefined && { iss: given.iss }),
      ...(resource !== undefined && { resource }),
    });
    return tokensOf(tokens, issuer, now);
  }

  /**
   * Fresh tokens for old ones. Undefined if the server has ended the login; rejects with a ToolFault if it gives none for
   * another reason, which may pass.
   */
  async refresh({ refresh, issuer }: Tokens, now: number, signal: AbortSignal): Promise<Tokens | undefined> {
    if (refresh === undefined) return undefined;
    const { refreshAuthorization, OAuthError } = await library();
    const { url, metadata, client, resource } = issuer;
    try {
      const tokens = await refreshAuthorization(url, {
        metadata,
        clientInformation: client,
        refreshToken: refresh,
        fetchFn: this.#bounded(signal),
        ...(resource !== undefined && { resource }),
      });
      return tokensOf({ ...tokens, refresh_token: tokens.refresh_token ?? refresh }, issuer, now);
    } catch (error) {
      // The library makes one of every answer that is no 2xx.
      if (error instanceof OAuthError && ENDINGS.has(error.code)) return undefined;
      throw new ToolFault('unreachable', 'its sign-in gives no answer of use', { cause: error });
    }
  }

  /** Tells the server that the tokens are not used any more, if it wants to know. */
  async revoke({ access, refresh, issuer: { metadata, client } }: Tokens, signal: AbortSignal): Promise<void> {
    const endpoint = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
    if (typeof endpoint !== 'string') return;
    const body = new URLSearchParams({ token: refresh ?? access, client_id: client.client_id });
    if (refresh !== undefined) body.set('token_type_hint', 'refresh_token');
    const { client_secret: secret } = client;
    const isPost = 'token_endpoint_auth_method' in client && client.token_endpoint_auth_method === 'client_secret_post';
    if (secret !== undefined && isPost) body.set('client_secret', secret);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...(secret !== undefined && !isPost && { authorization: basic(client.client_id, secret) }),
    };
    await this.#bounded(signal)(endpoint, { method: 'POST', headers, body });
  }

  #bounded(signal: AbortSignal) {
    const bounded = boundedFetch(this.#fetch, { signal, maxBytes: MAX_BYTES });
    return (url: string | URL, init?: RequestInit): Promise<Response> =>
      bounded(url, init).catch((error: unknown) => {
        if (error instanceof AnswerTooLarge) throw new ToolFault('protocol', 'its sign-in sends too much');
        throw error;
      });
  }
}

/** The errors with which an authorization server refuses a refresh token or its client for good (RFC 6749, 5.2). */
const ENDINGS: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

interface Challenge {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
}

/** What a server says in its `WWW-Authenticate` about the credential that it wants. */
export async function readChallenge(challenge: string | undefined): Promise<Challenge> {
  if (challenge === undefined) return {};
  const { extractWWWAuthenticateParams } = await library();
  return extractWWWAuthenticateParams(new Response(null, { headers: { 'www-authenticate': challenge } }));
}

/** Rejects if a server says that it is another one: its tokens would be good there (RFC 9728). */
async function requireOwn(serverUrl: string, resource: string | undefined): Promise<void> {
  const { checkResourceAllowed, resourceUrlFromServerUrl } = await library();
  const own = resourceUrlFromServerUrl(serverUrl);
  if (resource !== undefined && !checkResourceAllowed({ requestedResource: own, configuredResource: resource }))
    throw new ToolFault('protocol', 'it says that it is another server');
}

/** Scopes with the one that refresh tokens need, where the authorization server knows it. */
function withRefresh(scope: string | undefined, known: readonly string[] | undefined): string | undefined {
  if (scope === undefined || known?.includes(OFFLINE) !== true) return scope;
  return scope.split(' ').includes(OFFLINE) ? scope : `${scope} ${OFFLINE}`;
}
const OFFLINE = 'offline_access';

/** How the service shows the token endpoint that it is the registered client: not at all, if it need not. */
const methodFor = (known: readonly string[] | undefined): string =>
  known === undefined || known.includes('none')
    ? 'none'
    : (['client_secret_basic', 'client_secret_post'].find((method) => known.includes(method)) ?? 'none');

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

const metadataOf = (redirectUrl: string, publicUrl: URL) => ({
  client_name: 'Parley',
  client_uri: publicUrl.href,
  application_type: publicUrl.protocol === 'https:' ? 'web' : 'native',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});

/** What is stored of a server's metadata: the rest is for the beginning of a login only. */
function needed(metadata: AuthorizationServerMetadata): AuthorizationServerMetadata {
  const kept = [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'revocation_endpoint',
    'response_types_supported',
    'token_endpoint_auth_methods_supported',
    'code_challenge_methods_supported',
    'authorization_response_iss_parameter_supported',
  ];
  const entries = Object.entries(metadata).filter(([name]) => kept.includes(name));
  return Object.fromEntries(entries) as unknown as AuthorizationServerMetadata; // all that its schema requires
}

function tokensOf(
  {
    access_token: access,
    refresh_token: refresh,
    expires_in: seconds,
  }: { access_token: string; refresh_token?: string | undefined; expires_in?: number | undefined },
  issuer: Issuer,
  now: number,
): Tokens {
  return { access, refresh, expiresAt: seconds === undefined ? undefined : now + seconds * 1_000, issuer };
}
