import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What `npm ci` has built of packages/web. */
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
  // All that runs or styles is our own file. Images of other hosts are loaded when somebody clicks (WEB-2).
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https: http:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
} as const;

/** Addresses of the app's own places: each is the same page, whose script looks at the address. */
const places = ['/', '/chat/*', '/join/:token', '/settings', '/settings/*'];

interface Asset {
  type: string;
  plain: Buffer;
  gzipped: Buffer | undefined;
  etag: string;
  /** Its name tells its content. */
  isImmutable: boolean;
}

/** Serves the web app's files, the same to everyone (WEB-1); false where it has not been built. */
export function serveWebApp(app: FastifyInstance, folder: string = built): boolean {
  const names = filesIn(folder);
  if (!names.includes('index.html')) return false;
  const assets = new Map<string, Asset>();
  const serve = (name: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    let asset = assets.get(name);
    if (!asset) assets.set(name, (asset = load(folder, name)));
    return send(asset, request, reply);
  };
  const options = { exposeHeadRoute: true, config: { isOpen: true } } as const;
  for (const name of names) if (name !== 'index.html') app.get(`/${name}`, options, serve(name));
  for (const place of places) app.get(place, options, serve('index.html'));
  return true;
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
  return { type, plain, gzipped, etag, isImmutable: name.startsWith('assets/') };
}

function send({ type, plain, gzipped, etag, isImmutable }: Asset, request: FastifyRequest, reply: FastifyReply) {
  const caching = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  reply.headers({ ...security, etag, 'cache-control': caching, vary: 'accept-encoding, origin' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  reply.type(type);
  if (!gzipped || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}
