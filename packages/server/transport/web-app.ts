import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StaticFiles } from './static-files.ts';

/** The build output of packages/web. */
const built = fileURLToPath(new URL('../../web/dist/', import.meta.url));

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

/** Files in `assets/` have a content hash in their names. */
const headersOf = (name: string): Readonly<Record<string, string>> => ({
  ...(isFrame(name) ? frameSecurity : security),
  'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
});

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
  const files = new StaticFiles(folder, headersOf);
  const { names } = files;
  if (!names.includes('index.html')) return null;
  const serve = (name: string) => async (request: FastifyRequest, reply: FastifyReply) =>
    files.send(name, request, reply);
  const options = { exposeHeadRoute: true, config: { isOpen: true } } as const;
  for (const name of names) if (name !== 'index.html') app.get(`/${name}`, options, serve(name));
  for (const place of places) app.get(place, options, serve('index.html'));
  return {
    sendMissing(request, reply) {
      reply.code(404).headers({ ...security, 'cache-control': 'no-store', vary: 'accept, accept-encoding, origin' });
      return files.sendBody('index.html', request, reply);
    },
  };
}
