// The app's own page and files, so that it opens without a network. Nothing else is kept: no answer of the service,
// no file of a message, and no address but the app's own, in which no secret stands.

/** Put in by the build: what belongs to it, and a name that is its alone. */
declare const SHELL_FILES: { readonly build: string; readonly files: readonly string[] };

const { build, files } = SHELL_FILES;
const PREFIX = 'parley-shell-';
const NAME = PREFIX + build;
/** The one page of all places of the app. */
const PAGE = '/';

/** Keeps this build whole, then lets the former one go, which opens the app until then. */
export async function keepShell(): Promise<void> {
  if (!(await caches.match(PAGE, { cacheName: NAME }))) {
    const page = await fetch(PAGE, { cache: 'no-store' });
    // While the service is given a new build, the page may be of another one than this worker.
    if (!page.ok || page.redirected || !isOfThisBuild(await page.clone().text())) return;
    const answers = await Promise.all(files.map(async (file) => [file, await fetch(file)] as const));
    // Whatever stands before the service may answer in its place.
    if (!answers.every(([, answer]) => isFile(answer))) return;
    const cache = await caches.open(NAME);
    for (const [file, answer] of answers) await cache.put(file, answer);
    // The page tells that all it needs is there.
    await cache.put(PAGE, page);
    // A newer worker that keeps its own at this moment lets this one go, not the other way round.
    for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
  }
}

function isOfThisBuild(html: string): boolean {
  const named = Array.from(html.matchAll(/"(\/assets\/[^"]+)"/g), ([, path = '']) => path);
  return named.length > 0 && named.every((path) => files.includes(path));
}

const isFile = ({ ok, redirected, headers }: Response): boolean =>
  ok && !redirected && !headers.get('content-type')?.startsWith('text/html');

/** The answer to what a page asks for; null leaves it to the browser. */
export function answerOf(request: Request): Promise<Response> | null {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return null;
  if (request.mode === 'navigate') return isPlace(pathname) ? pageOf(request) : null;
  if (pathname.startsWith('/assets/')) return fileOf(request);
  return files.includes(pathname) ? newestOf(request, pathname) : null;
}

/** As the service has them. They are the same page, so that none is kept under an address of its own. */
const isPlace = (path: string): boolean => path === PAGE || /^\/(?:chat|join|settings)(?:\/|$)/.test(path);

/** A page of a new build leads to its own files: it goes before what is kept. */
const pageOf = (request: Request): Promise<Response> => newestOf(request, PAGE);

/** The name of a file tells its content. */
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
  // Something stands before a service that is away.
  return answer.status < 500 ? answer : ((await keptOf(path)) ?? answer);
}

const keptOf = (request: RequestInfo): Promise<Response | undefined> => caches.match(request, { ignoreVary: true });
