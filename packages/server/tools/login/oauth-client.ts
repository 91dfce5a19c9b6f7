import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import { boundedText, isCompressed, uncompressed } from '../../outbound/bounded-body.ts';
import type { Fetch } from '../../outbound/guarded-fetch.ts';
import { library } from '../mcp-connection.ts';
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
}

/** What a login gave. */
export interface Tokens {
  access: string;
  refresh: string | undefined;
  /** Milliseconds since the epoch; undefined if the server did not say. */
  expiresAt: number | undefined;
  issuer: Issuer;
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

  /** Begins a login: the address at which the person signs in, and what is needed when they come back. */
  async begin(serverUrl: string, state: string, signal: AbortSignal) {
    const { discoverOAuthServerInfo, registerClient, startAuthorization } = await library();
    const { redirectUrl } = this;
    if (this.#publicUrl === null || redirectUrl === undefined) throw new ToolFault('off', 'there is no PUBLIC_URL');
    const fetchFn = this.#bounded(signal);
    const found = await discoverOAuthServerInfo(serverUrl, { fetchFn });
    const { authorizationServerUrl: url, authorizationServerMetadata: metadata, resourceMetadata } = found;
    if (!metadata) throw new ToolFault('protocol', 'it does not say where people sign in');
    const takesDocuments =
      'client_id_metadata_document_supported' in metadata && metadata.client_id_metadata_document_supported === true;
    const clientMetadata = metadataOf(redirectUrl, this.#publicUrl);
    const client: OAuthClientInformationMixed =
      takesDocuments && this.#publicUrl.protocol === 'https:'
        ? { client_id: this.#documentUrl(this.#publicUrl) }
        : // Deprecated in favour of the document, which only some servers take.
          // oxlint-disable-next-line typescript/no-deprecated -- see above
          await registerClient(url, { metadata, clientMetadata, fetchFn });
    const resource = resourceMetadata?.resource;
    const scope = resourceMetadata?.scopes_supported?.join(' ');
    const { authorizationUrl, codeVerifier } = await startAuthorization(url, {
      metadata,
      clientInformation: client,
      redirectUrl,
      state,
      ...(scope !== undefined && scope !== '' && { scope }),
      ...(resource !== undefined && { resource }),
    });
    const issuer: Issuer = { url, metadata: needed(metadata), client, redirectUrl, resource };
    return { url: authorizationUrl.href, codeVerifier, issuer };
  }

  /** Redeems the code with which a person came back. */
  async redeem(
    { url, metadata, client, redirectUrl, resource }: Issuer,
    given: { code: string; iss: string | undefined; codeVerifier: string },
    now: number,
    signal: AbortSignal,
  ): Promise<Tokens> {
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
    return tokensOf(tokens, { url, metadata, client, redirectUrl, resource }, now);
  }

  /** Fresh tokens for old ones. Undefined if the server has ended the login. */
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
      if (error instanceof OAuthError) return undefined;
      throw new ToolFault('unreachable', 'its sign-in cannot be reached', { cause: error });
    }
  }

  /** Tells the server that the tokens are not used any more, if it wants to know. */
  async revoke({ access, refresh, issuer: { metadata, client } }: Tokens, signal: AbortSignal): Promise<void> {
    const endpoint = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
    if (typeof endpoint !== 'string') return;
    const body = new URLSearchParams({ token: refresh ?? access, client_id: client.client_id });
    if (refresh !== undefined) body.set('token_type_hint', 'refresh_token');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await this.#bounded(signal)(endpoint, { method: 'POST', headers, body });
  }

  #bounded(signal: AbortSignal) {
    return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
      const body =
        typeof init.body === 'string' || init.body instanceof URLSearchParams ? String(init.body) : undefined;
      const response = await this.#fetch(String(url), {
        method: init.method === 'POST' ? 'POST' : 'GET',
        headers: { ...Object.fromEntries(new Headers(init.headers)), ...uncompressed },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal,
      });
      const text = isCompressed(response) ? null : await boundedText(response.body, MAX_BYTES);
      if (text === null) throw new ToolFault('protocol', 'its sign-in sends too much');
      const { status, headers } = response;
      return new Response([204, 205, 304].includes(status) ? null : text, { status, headers });
    };
  }
}

const metadataOf = (redirectUrl: string, publicUrl: URL) => ({
  client_name: 'Parley',
  client_uri: publicUrl.href,
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
