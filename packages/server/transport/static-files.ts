import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, codingFor } from './codings.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

interface StaticFile {
  type: string;
  plain: Buffer;
  packed: Readonly<Partial<Record<Coding, Buffer>>>;
  etag: string;
  headers: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string>>;

/** Static files need no token, and answer HEAD too. */
export const openRoute = { exposeHeadRoute: true, config: { isOpen: true } } as const;

/** The files of a folder that was built before the start, the same for everyone. Each is read when it is first asked for. */
export class StaticFiles {
  readonly names: ReadonlySet<string>;
  readonly #folder: string;
  readonly #headersOf: (name: string) => Headers;
  readonly #files = new Map<string, StaticFile>();

  /** `headersOf` returns the headers of a file, its caching among them. */
  constructor(folder: string, headersOf: (name: string) => Headers) {
    this.#folder = folder;
    this.#headersOf = headersOf;
    this.names = new Set(namesIn(folder));
  }

  /**
   * Serves the files of a folder of this folder (`assets/`; '' is all of it) under an address. One route for all of them:
   * a route for each of a thousand files would be a third of the time that the service takes to start.
   */
  serve(app: FastifyInstance, address: string, folder = ''): void {
    app.get(`${address}*`, openRoute, async (request, reply) => {
      const { '*': path = '' } = request.params as { '*'?: string }; // the rest of the path, decoded
      const name = `${folder}${path}`;
      if (this.names.has(name)) return this.send(name, request, reply);
      reply.callNotFound();
      return reply;
    });
  }

  send(name: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { etag, headers } = this.#file(name);
    reply.headers({ ...headers, etag, vary: 'accept-encoding, origin' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return this.sendBody(name, request, reply);
  }

  /** Sends only the type and the content: the status and all other headers are the caller's. */
  sendBody(name: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { type, plain, packed } = this.#file(name);
    reply.type(type);
    const coding = codingFor(request, packed.br ? undefined : ['gzip']);
    const bytes = coding && packed[coding];
    return bytes ? reply.header('content-encoding', coding).send(bytes) : reply.send(plain);
  }

  text(name: string): string {
    return this.#file(name).plain.toString();
  }

  #file(name: string): StaticFile {
    let file = this.#files.get(name);
    if (!file) this.#files.set(name, (file = this.#load(name)));
    return file;
  }

  #load(name: string): StaticFile {
    const plain = readFileSync(join(this.#folder, name));
    const type = types[extname(name)] ?? 'application/octet-stream';
    const packed = {
      ...(/text|json|svg|javascript/.test(type) && { gzip: gzipSync(plain, { level: 9 }) }),
      // The build has packed what the first view needs: that takes seconds.
      ...(this.names.has(`${name}.br`) && { br: readFileSync(join(this.#folder, `${name}.br`)) }),
    };
    const etag = `W/"${hash('sha256', plain).slice(0, 16)}"`;
    return { type, plain, packed, etag, headers: this.#headersOf(name) };
  }
}

/** Empty if there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\//, ''));
  } catch {
    return [];
  }
}
