import { createHash } from 'node:crypto';
import type { FakeToolServer } from './fake-tool-server.ts';

/** What a client that registers with a secret gets. */
const SECRET = 'client-secret';

/** The authorization server of a fake server of tools, at the same origin. */
export interface FakeSignIn {
  /** Whether it takes the address of a document as the id of a client. */
  takesDocuments: boolean;
  /** Refuses refreshes from now on, as after the person has withdrawn the access. */
  isEnded: boolean;
  /** Whether a proxy answers in its place that it is down. */
  isDown: boolean;
  /** What it says of itself, beside what it always says. */
  metadata: Record<string, unknown>;
  /** For which server of tools it says that its tokens are good. */
  resource: string;
  /** Where the server of tools is described. */
  describedAt: string;
  /** How long its tokens are good; undefined: it does not say. */
  seconds: number | undefined;
  readonly registered: readonly Record<string, unknown>[];
  readonly refreshes: readonly string[];
  readonly revoked: readonly string[];
  /** Does what a person does at the address of a login: returns the address to which the browser is sent back. */
  approve(url: string): string;
}

/** Lets a server of tools be signed in to by OAuth 2.1: a page for people, codes with PKCE, tokens that are refreshed once each. */
export function addSignIn(server: FakeToolServer): FakeSignIn {
  const codes = new Map<string, { challenge: string; client: string; redirect: string }>();
  const registered: Record<string, unknown>[] = [];
  const [refreshes, revoked]: string[][] = [[], []];
  let issued = 0;
  let current = '';
  const { origin } = server;
  server.challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  server.tokens = [];

  const issue = () => {
    issued += 1;
    current = `refresh-${issued}`;
    server.tokens = [`access-${issued}`];
    return {
      access_token: `access-${issued}`,
      token_type: 'Bearer',
      refresh_token: current,
      ...(fake.seconds !== undefined && { expires_in: fake.seconds }),
    };
  };
  const refused = { error: 'invalid_grant' };

  function tokens(form: URLSearchParams): object {
    if (form.get('grant_type') === 'refresh_token') {
      const given = form.get('refresh_token') ?? '';
      refreshes?.push(given);
      return fake.isEnded || given !== current ? refused : issue();
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      code?.challenge === challenge &&
      (code.client === form.get('client_id') ||
        registered.at(-1)?.['token_endpoint_auth_method'] === 'client_secret_basic') &&
      code.redirect === form.get('redirect_uri');
    return isGood ? issue() : refused;
  }

  server.answer = (request, response, _rpc, body) => {
    const send = (answer: object, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    const form = new URLSearchParams(body);
    if (request.method === 'GET' && request.url?.startsWith('/authorize?')) {
      const back = fake.approve(new URL(request.url, origin).href).replaceAll('&', '&amp;');
      const page = `<!doctype html><title>Bank</title><h1>Sign in to the bank</h1><a href="${back}">Allow</a>`;
      return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    }
    switch (request.url) {
      case fake.describedAt:
        return send({ resource: fake.resource, authorization_servers: [origin], scopes_supported: ['tools'] });
      case '/.well-known/oauth-authorization-server':
        return send({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          revocation_endpoint: `${origin}/revoke`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          client_id_metadata_document_supported: fake.takesDocuments,
          ...fake.metadata,
        });
      case '/register': {
        const client = JSON.parse(body) as Record<string, unknown>; // of our own client
        registered.push(client);
        const secret = client['token_endpoint_auth_method'] === 'none' ? {} : { client_secret: SECRET };
        return send({ ...client, client_id: `client-${registered.length}`, ...secret }, 201);
      }
      case '/token': {
        if (fake.isDown)
          return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
        const answer = tokens(form);
        return send(answer, 'error' in answer ? 400 : 200);
      }
      case '/revoke':
        if (
          registered.at(-1)?.['token_endpoint_auth_method'] === 'client_secret_post' &&
          form.get('client_secret') !== SECRET
        )
          return send({ error: 'invalid_client' }, 401);
        if (
          registered.at(-1)?.['token_endpoint_auth_method'] === 'client_secret_basic' &&
          request.headers.authorization !==
            `Basic ${Buffer.from(`client-${registered.length}:${SECRET}`).toString('base64')}`
        )
          return send({ error: 'invalid_client' }, 401);
        revoked?.push(form.get('token') ?? '');
        server.tokens = [];
        return send({});
      default:
        return false;
    }
  };

  const fake: FakeSignIn = {
    takesDocuments: false,
    isEnded: false,
    isDown: false,
    metadata: {},
    resource: server.url,
    describedAt: '/.well-known/oauth-protected-resource/mcp',
    seconds: 3_600,
    registered,
    refreshes: refreshes ?? [],
    revoked: revoked ?? [],
    approve(url) {
      const { searchParams: asked } = new URL(url);
      const code = `code-${codes.size + 1}-${issued}`;
      const redirect = asked.get('redirect_uri') ?? '';
      codes.set(code, { challenge: asked.get('code_challenge') ?? '', client: asked.get('client_id') ?? '', redirect });
      return `${redirect}?${new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()}`;
    },
  };
  return fake;
}
