import type { KeyObject } from 'node:crypto';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { bytesOf, readToken } from './fake-push.ts';
import { Waits } from '../world/waits.ts';

/** An answer of Apple other than 200. */
export interface Refusal {
  status: number;
  reason?: string;
  timestamp?: number;
  headers?: Readonly<Record<string, string>>;
  hold?: Promise<void>;
}

interface ReceivedAlert {
  device: string;
  headers: IncomingHttpHeaders;
  aps: Readonly<Record<string, unknown>>;
  /** Fields beside `aps`: for the app. */
  custom: Readonly<Record<string, unknown>>;
  claims: Readonly<Record<string, unknown>>;
  /** The connection that the alert arrived over. */
  session: number;
}

const TOPIC = 'com.example.parley';

/** Apple's push service on loopback, over HTTP/2 without TLS: makes Apple's checks and answers with its reasons. */
export class FakeApns implements AsyncDisposable {
  readonly received: ReceivedAlert[] = [];
  /** The reasons of refused alerts, in order. */
  readonly refused: string[] = [];
  readonly url: string;
  /** The key that tokens must be signed with; set once the service's key is created. */
  key: KeyObject | null = null;
  /** Refusals by device, each used once. */
  readonly #scripts = new Map<string, Refusal[]>();
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #waits = new Waits(
    () =>
      `alerts so far: ${JSON.stringify(this.received.map(({ device, aps }) => [device, aps]))}, refused: ${this.refused.join()}`,
  );
  sessionCount = 0;

  static async start(): Promise<FakeApns> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on TCP has an address of this type.
    return new FakeApns(server, (server.address() as AddressInfo).port);
  }

  private constructor(server: Http2Server, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#server = server;
    server.on('session', (session) => {
      this.sessionCount += 1;
      const number = this.sessionCount;
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
      session.on('error', () => {});
      session.on('stream', (stream, headers) => {
        stream.on('error', () => {});
        this.#serve(stream, headers, number).catch(() => stream.destroy());
      });
    });
  }

  /** Sets the answers to the next alerts to a device; later ones are accepted. */
  script(device: string, ...refusals: Refusal[]): void {
    this.#scripts.set(device, refusals);
  }

  of(device: string): ReceivedAlert[] {
    return this.received.filter((alert) => alert.device === device);
  }

  /** The `n`-th alert (from 1) that reached a device; waits for it. */
  nth(device: string, n = 1): Promise<ReceivedAlert> {
    return this.#waits.until(() => this.of(device)[n - 1]);
  }

  /** Resolves when `n` alerts have been refused. */
  refusals(n: number): Promise<true> {
    return this.#waits.until(() => this.refused.length >= n || undefined);
  }

  /** Sends GOAWAY on all connections, as Apple does from time to time. */
  sendAway(): void {
    for (const session of this.#sessions) session.close();
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, session: number): Promise<void> {
    const body = await bytesOf(stream);
    const device = decodeURIComponent(/^\/3\/device\/([^/]+)$/.exec(String(headers[':path']))?.[1] ?? '');
    const scripted = this.#scripts.get(device)?.shift();
    await scripted?.hold;
    const claims = readToken(String(headers['authorization']).replace(/^bearer /, ''), this.key ?? undefined);
    const {
      status,
      reason,
      timestamp,
      headers: added,
    } = scripted ?? refusal(device, headers, body, claims) ?? { status: 200 };
    if (stream.destroyed) return;
    stream.respond({ ':status': status, 'apns-id': '00000000-0000-0000-0000-000000000000', ...added });
    if (status === 200) {
      const { aps, ...custom } = JSON.parse(body.toString());
      this.received.push({ device, headers, aps, custom, claims: claims ?? {}, session });
      stream.end();
    } else {
      this.refused.push(reason ?? String(status));
      stream.end(JSON.stringify({ reason, timestamp }));
    }
    this.#waits.look();
  }
}

/** Apple's own checks of a request, following its documentation. */
function refusal(
  device: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  claims: Record<string, unknown> | undefined,
): Refusal | undefined {
  const refuse = (status: number, reason: string): Refusal => ({ status, reason });
  if (device === '') return refuse(404, 'BadPath');
  if (headers[':method'] !== 'POST') return refuse(405, 'MethodNotAllowed');
  if (headers['authorization'] === undefined) return refuse(403, 'MissingProviderToken');
  const { kid } = (claims?.['header'] ?? {}) as { kid?: unknown }; // a header is an object
  if (!claims || typeof kid !== 'string' || claims['iss'] === undefined || typeof claims['iat'] !== 'number')
    return refuse(403, 'InvalidProviderToken');
  if (headers['apns-topic'] === undefined) return refuse(400, 'MissingTopic');
  if (headers['apns-topic'] !== TOPIC) return refuse(400, 'TopicDisallowed');
  if (!['alert', 'background'].includes(String(headers['apns-push-type']))) return refuse(400, 'InvalidPushType');
  if (!['1', '5', '10'].includes(String(headers['apns-priority'] ?? '10'))) return refuse(400, 'BadPriority');
  if (!/^\d+$/.test(String(headers['apns-expiration'] ?? '0'))) return refuse(400, 'BadExpirationDate');
  if (Buffer.byteLength(String(headers['apns-collapse-id'] ?? '')) > 64) return refuse(400, 'BadCollapseId');
  if (body.length === 0) return refuse(400, 'PayloadEmpty');
  if (body.length > 4_096) return refuse(413, 'PayloadTooLarge');
  return unseen(headers, JSON.parse(body.toString()).aps);
}

/** A push that Apple accepts but never displays, because its type does not match its contents. */
function unseen(headers: IncomingHttpHeaders, aps: Readonly<Record<string, unknown>>): Refusal | undefined {
  const isSeen = ['alert', 'badge', 'sound'].some((name) => name in aps);
  const isBackground = headers['apns-push-type'] === 'background';
  if (isBackground === isSeen) return { status: 400, reason: 'the type does not match the contents' };
  if (isBackground && (headers['apns-priority'] !== '5' || aps['content-available'] !== 1))
    return { status: 400, reason: 'not a valid background push' };
  return undefined;
}
