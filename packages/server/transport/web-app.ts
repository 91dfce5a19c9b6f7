import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../service/config.ts';
import { openRoute, StaticFiles } from './static-files.ts';

/** The build output of packages/web. */
const built = fileURLToPath(new URL('../../web/dist/', import.meta.url));

/** Scripts, styles and images load from this service only (WEB-2). `ancestors`: the pages that may show this one. */
const policy = (ancestors: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`;

const security = {
  'content-security-policy': policy("'none'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  // The microphone is for voice messages (WEB-275).
  'permissions-policy': 'camera=(), microphone=(self), geolocation=(), payment=()',
} as const;

/**
 * The page in which diagrams are drawn (WEB-176): whatever a diagram makes of it, it reaches nothing. Its origin is
 * opaque also if it is opened by its address. Where there is a widget any page may be around it, because a list of the
 * widget's origins would be public.
 */
const frameSecurity = (hasWidget: boolean) => ({
  ...security,
  'content-security-policy': `sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'${hasWidget ? '' : "; frame-ancestors 'self'"}`,
});
const isFrame = (name: string): boolean => /^assets\/.*\.html$/.test(name);

const PAGE = 'index.html';
const WIDGET_PAGE = 'widget.html';

/** Paths of the app: each serves the same page, whose script reads the address. */
const places = [
  '/',
  '/admin',
  '/admin/*',
  '/browse',
  '/chat/*',
  '/inbox',
  '/agents',
  '/join/:token',
  '/new',
  '/oauth/authorize',
  '/password',
  '/settings',
  '/settings/*',
  '/share',
];

const securityOf = (name: string, hasWidget: boolean): Readonly<Record<string, string>> =>
  isFrame(name) ? frameSecurity(hasWidget) : security;

const ASSETS = 'assets/';

/** Files in `assets/` have a content hash in their names. */
const headersOf = (hasWidget: boolean) => (name: string) => ({
  ...securityOf(name, hasWidget),
  'cache-control': name.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache',
});

interface WebAppOptions extends Pick<Config, 'widgetOrigins'> {
  /** Called with the origin of a page that was refused the widget. */
  readonly logRefusedEmbedder: (origin: string) => void;
  readonly folder?: string;
}

/** The web app's pages that other routes serve. */
interface WebApp {
  /** Serves the app at an unknown address, with status 404; the app shows that nothing is there. */
  readonly sendMissing: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

/** Whether a request comes from a browser navigating, rather than from an API client. */
export const wantsPage = ({ method, url, headers: { accept = '' } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(accept) && !/^\/api(?:[/?#]|$)/.test(url);

/** Serves the web app's files, the same to everyone (WEB-1). Returns null if the app has not been built. */
export function serveWebApp(app: FastifyInstance, options: WebAppOptions): WebApp | null {
  const { widgetOrigins, logRefusedEmbedder, folder = built } = options;
  const files = new StaticFiles(folder, headersOf(widgetOrigins.length > 0));
  const { names } = files;
  if (!names.has(PAGE)) return null;
  const serve = (name: string) => async (request: FastifyRequest, reply: FastifyReply) =>
    files.send(name, request, reply);
  files.serve(app, `/${ASSETS}`, ASSETS);
  for (const name of names)
    if (name !== PAGE && name !== WIDGET_PAGE && !name.startsWith(ASSETS)) app.get(`/${name}`, openRoute, serve(name));
  for (const place of places) app.get(place, openRoute, serve(PAGE));
  app.get('/widget', openRoute, async (request, reply) => {
    // The policy names only the origin that asked: together they would be a public list. So the browser has also
    // verified for the widget whose frame it is in (WIDGET-2).
    const { origin } = request.query as { origin?: unknown }; // a parsed query is an object
    const embedder = widgetOrigins.find((one) => one === origin);
    if (embedder === undefined && typeof origin === 'string' && isInFrame(request)) logRefusedEmbedder(origin);
    reply.headers({
      ...security,
      'content-security-policy': policy(embedder ?? "'none'"),
      // Not cached: browsers keep the policy of a page that they revalidate.
      'cache-control': 'no-store',
      vary: 'accept-encoding, origin',
    });
    return files.sendBody(WIDGET_PAGE, request, reply);
  });
  return {
    sendMissing(request, reply) {
      reply.code(404).headers({ ...security, 'cache-control': 'no-store', vary: 'accept, accept-encoding, origin' });
      return files.sendBody(PAGE, request, reply);
    },
  };
}

/** Whether a browser asks for a page to show it in another one; some browsers do not say. */
const isInFrame = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-dest'] !== 'document';
