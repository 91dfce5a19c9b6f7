// Caches the app's own page and files, so that it opens offline. Nothing else is cached: no API answers, no attachments,
// and only the app's own addresses, which contain no secrets.

/** Inserted by the build: its files, and an ID unique to the build. */
declare const SHELL_FILES: { readonly build: string; readonly files: readonly string[] };

const { build, files } = SHELL_FILES;
const PREFIX = 'parley-shell-';
const NAME = PREFIX + build;
/** The page that all routes of the app share. */
const PAGE = '/';

/** Caches this build completely, then deletes the former one, which serves the app until then. */
export async function keepShell(): Promise<void> {
  if (!(await caches.match(PAGE, { cacheName: NAME }))) {
    const page = await fetch(PAGE, { cache: 'no-store' });
    // During a deployment the page may come from another build than this worker.
    if (!page.ok || page.redirected || !isOfThisBuild(await page.clone().text())) return;
    const answers = await Promise.all(files.map(async (file) => [file, await fetch(file)] as const));
    // A proxy may have answered instead of the service.
    if (!answers.every(([, answer]) => isFile(answer))) return;
    const cache = await caches.open(NAME);
    await Promise.all(answers.map(async ([file, answer]) => cache.put(file, answer)));
    // The page comes last: if it is cached, all its files are.
    await cache.put(PAGE, page);
    // A newer worker that is installing right now deletes this cache; this one must not delete the newer one's.
    for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
  }
}

function isOfThisBuild(html: string): boolean {
  const named = Array.from(html.matchAll(/"(\/assets\/[^"]+)"/g), ([, path = '']) => path);
  return named.length > 0 && named.every((path) => files.includes(path));
}

const isFile = ({ ok, redirected, headers }: Response): boolean =>
  ok && !redirected && !headers.get('content-type')?.startsWith('text/html');

/** Answers a page's request; null leaves it to the browser. */
export function answerOf(request: Request): Promise<Response> | null {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return null;
  if (request.mode === 'navigate') return isPlace(pathname) ? pageOf(request) : null;
  if (pathname.startsWith('/assets/')) return fileOf(request);
  return files.includes(pathname) ? newestOf(request, pathname) : null;
}

/** The app's routes, as on the service. All are the same page, so none is cached under its own address. */
const isPlace = (path: string): boolean =>
  path === PAGE || /^\/(?:admin|agents|browse|chat|inbox|join|new|settings|share)(?:\/|$)/.test(path);

/** Network first: the page of a newer build refers to its own files. What other apps share stays on the device. */
const pageOf = (request: Request): Promise<Response> =>
  newestOf(new URL(request.url).pathname === '/share' ? new Request('/share') : request, PAGE);

/** Cache first: file names contain a hash of their content. */
const fileOf = async (request: Request): Promise<Response> => (await keptOf(request)) ?? fetch(request);

async function newestOf(request: Request, path: string): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(request);
  } catch (error) {
    const kept = await keptOf(path);
    if (kept) return kept;
    throw error;
  }
  // A proxy answered for a service that is down.
  return answer.status < 500 ? answer : ((await keptOf(path)) ?? answer);
}

const keptOf = (request: RequestInfo): Promise<Response | undefined> => caches.match(request, { ignoreVary: true });
