import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The build output of packages/web. */
const built = fileURLToPath(new URL('../../web/dist/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

const security = {
  // Scripts, styles and images load from this service only (WEB-2).
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  // The microphone is for voice messages (WEB-275).
  'permissions-policy': 'camera=(), microphone=(self), geolocation=(), payment=()',
} as const;

/**
 * The page in which diagrams are drawn (WEB-176): whatever a diagram makes of it, it reaches nothing. Its origin is
 * opaque also if it is opened by its address.
 */
const frameSecurity = {
  ...security,
  'content-security-policy':
    "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
} as const;
const isFrame = (name: string): boolean => /^assets\/.*\.html$/.test(name);

/** Paths of the app: each serves the same page, whose script reads the address. */
const places = ['/', '/chat/*', '/inbox', '/join/:token', '/new', '/settings', '/settings/*', '/share'];

interface Asset {
  type: string;
  plain: Buffer;
  gzipped: Buffer | undefined;
  etag: string;
  /** Its name contains a content hash. */
  isImmutable: boolean;
  security: Readonly<Record<string, string>>;
}

/** The web app's pages that other routes serve. */
export interface WebApp {
  /** Serves the app at an unknown address, with status 404; the app shows that nothing is there. */
  readonly sendMissing: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

/** Whether a request comes from a browser navigating, rather than from an API client. */
export const wantsPage = ({ method, url, headers: { accept = '' } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(accept) && !/^\/api(?:[/?#]|$)/.test(url);

/** Serves the web app's files, the same to everyone (WEB-1). Returns null if the app has not been built. */
export function serveWebApp(app: FastifyInstance, folder: string = built): WebApp | null {
  const names = filesIn(folder);
  if (!names.includes('index.html')) return null;
  const assets = new Map<string, Asset>();
  const known = (name: string): Asset => {
    let asset = assets.get(name);
    if (!asset) assets.set(name, (asset = load(folder, name)));
    return asset;
  };
  const serve = (name: string) => async (request: FastifyRequest, reply: FastifyReply) =>
    send(known(name), request, reply);
  const options = { exposeHeadRoute: true, config: { isOpen: true } } as const;
  for (const name of names) if (name !== 'index.html') app.get(`/${name}`, options, serve(name));
  for (const place of places) app.get(place, options, serve('index.html'));
  return {
    sendMissing(request, reply) {
      reply.code(404).headers({ ...security, 'cache-control': 'no-store', vary: 'accept, accept-encoding, origin' });
      return sendBody(known('index.html'), request, reply);
    },
  };
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\//, ''));
  } catch {
    return [];
  }
}

function load(folder: string, name: string): Asset {
  const plain = readFileSync(join(folder, name));
  const type = types[extname(name)] ?? 'application/octet-stream';
  const gzipped = /text|json|svg|javascript/.test(type) ? gzipSync(plain, { level: 9 }) : undefined;
  const etag = `W/"${hash('sha256', plain).slice(0, 16)}"`;
  const isImmutable = name.startsWith('assets/');
  return { type, plain, gzipped, etag, isImmutable, security: isFrame(name) ? frameSecurity : security };
}

function send(asset: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { etag, isImmutable, security: headers } = asset;
  const caching = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  reply.headers({ ...headers, etag, 'cache-control': caching, vary: 'accept-encoding, origin' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return sendBody(asset, request, reply);
}

function sendBody({ type, plain, gzipped }: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.type(type);
  if (!gzipped || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}
