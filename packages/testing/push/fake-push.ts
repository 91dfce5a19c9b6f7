import { createDecipheriv, createECDH, createHmac, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Waits } from '../world/waits.ts';

/** The fake's answer to one request; immediate without `hold`. */
export interface PushReply {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The answer waits for this promise, possibly forever. */
  hold?: Promise<void>;
  /** The answer continues until the client disconnects. */
  endless?: true;
}

/** One push as a browser receives it, with the violations that its service found. */
interface ReceivedPush {
  device: string;
  headers: IncomingHttpHeaders;
  /** The decrypted payload; null if decryption failed. */
  payload: Readonly<Record<string, unknown>> | null;
  claims: Readonly<Record<string, unknown>>;
  problems: string[];
  /** The status that the service answered; from 300 the push was refused. */
  status: number;
}

interface Device {
  keys: ECDH;
  auth: Buffer;
  replies: PushReply[];
}

/** A browser push service on loopback: it also holds the devices' keys, decrypts pushes, and checks who signed them. */
export class FakePush implements AsyncDisposable {
  readonly received: ReceivedPush[] = [];
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #devices = new Map<string, Device>();
  readonly #waits = new Waits(
    () => `pushes so far: ${JSON.stringify(this.received.map(({ device, payload }) => [device, payload]))}`,
  );
  /** Requests so far, including unanswered ones. */
  requests = 0;
  #cutOff = 0;

  static async start(): Promise<FakePush> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on TCP has an address of this type.
    return new FakePush(server, (server.address() as AddressInfo).port);
  }

  private constructor(server: ReturnType<typeof createServer>, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#server = server;
    server.on('request', (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** A new subscription as our web app registers it. Replies are given in order; the last one repeats. */
  subscribe(device: string, ...replies: PushReply[]): string {
    const keys = createECDH('prime256v1');
    const p256dh = keys.generateKeys('base64url', 'uncompressed');
    const auth = randomBytes(16);
    this.#devices.set(device, { keys, auth, replies });
    const subscription = {
      endpoint: `${this.url}/push/${device}`,
      expirationTime: null,
      keys: { p256dh, auth: auth.toString('base64url') },
      extras: true,
    };
    return JSON.stringify(subscription);
  }

  /** Sets the answers to further pushes to a device. */
  script(device: string, ...replies: PushReply[]): void {
    const known = this.#devices.get(device);
    if (known) known.replies = replies;
  }

  /** The `n`-th push (from 1) to a device; waits for it. */
  nth(device: string, n = 1): Promise<ReceivedPush> {
    return this.#waits.until(() => this.of(device)[n - 1]);
  }

  /** Resolves when an endless answer has been cut off. */
  async cutOff(): Promise<void> {
    await this.#waits.until(() => this.#cutOff || undefined);
  }

  of(device: string): ReceivedPush[] {
    return this.received.filter((push) => push.device === device);
  }

  bodies(device: string): unknown[] {
    return this.of(device).map(({ payload }) => payload?.['body']);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const body = await bytesOf(request);
    const name = /^\/push\/([\w-]+)$/.exec(request.url ?? '')?.[1] ?? '';
    const device = this.#devices.get(name);
    if (!device) return void response.writeHead(404).end();
    const { claims, problems } = this.#check(request, body);
    let payload: ReceivedPush['payload'] = null;
    try {
      payload = JSON.parse(open(body, device).toString());
    } catch (error) {
      problems.push(String(error));
    }
    const { replies } = device;
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? {};
    const { status = 201 } = reply;
    this.received.push({ device: name, headers: request.headers, payload, claims, problems, status });
    this.#waits.look();
    await reply.hold;
    response.writeHead(status, reply.headers);
    if (!reply.endless) return void response.end(reply.body);
    await writeUntilClosed(response);
    this.#cutOff += 1;
    this.#waits.look();
  }

  #check({ method, headers }: IncomingMessage, body: Buffer): Pick<ReceivedPush, 'claims' | 'problems'> {
    const problems: string[] = [];
    const expectThat = (isSo: boolean, what: string): void => void (isSo || problems.push(what));
    expectThat(method === 'POST', 'not a POST');
    expectThat(headers['content-encoding'] === 'aes128gcm', 'not aes128gcm');
    expectThat(/^\d+$/.test(String(headers['ttl'])), 'no TTL');
    expectThat(/^[\w-]{1,32}$/.test(String(headers['topic'])), 'a topic is 1 to 32 characters of base64url');
    expectThat(['very-low', 'low', 'normal', 'high'].includes(String(headers['urgency'])), 'unknown urgency');
    expectThat(body.length <= 4_096, 'longer than 4,096 bytes');
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), *k=([\w-]+)$/.exec(headers['authorization'] ?? '') ?? [];
    const claims = readToken(token, pointKey(key));
    if (!claims) return { claims: {}, problems: [...problems, 'the VAPID token does not verify'] };
    expectThat(claims['aud'] === this.url, 'the token is for another audience');
    expectThat(/^(mailto:|https:)/.test(String(claims['sub'])), 'the token has no contact');
    expectThat(typeof claims['exp'] === 'number', 'the token has no expiry');
    return { claims: { ...claims, key }, problems };
  }
}

/** Never writes more than the client reads. */
function writeUntilClosed(response: ServerResponse): Promise<void> {
  const part = 'x'.repeat(16_384);
  const write = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', write);
  response.on('error', () => {}); // a write while the response closes fails, which is expected
  write();
  return new Promise((resolve) => response.on('close', resolve));
}

/** The claims of a signed ES256 token; undefined if another key signed it. */
export function readToken(
  token: string,
  key: ReturnType<typeof createPublicKey> | undefined,
): Record<string, unknown> | undefined {
  const [header = '', claims = '', signature = ''] = token.split('.');
  if (!key) return undefined;
  const signed = Buffer.from(`${header}.${claims}`);
  const isSigned = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  const read = (text: string): Record<string, unknown> => JSON.parse(Buffer.from(text, 'base64url').toString());
  return isSigned && read(header)['alg'] === 'ES256' ? { ...read(claims), header: read(header) } : undefined;
}

function pointKey(text: string): ReturnType<typeof createPublicKey> | undefined {
  const point = Buffer.from(text, 'base64url');
  if (point.length !== 65) return undefined;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' } as Parameters<
    typeof createPublicKey
  >[0]); // both coordinates are set
}

const hmac = (key: Buffer, ...data: Buffer[]): Buffer => {
  const made = createHmac('sha256', key);
  for (const part of data) made.update(part);
  return made.digest();
};
const one = Buffer.from([1]);

/** RFC 8291, and RFC 8188 for its one record. */
function open(body: Buffer, { keys, auth }: Device): Buffer {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  if (body.readUInt32BE(16) < sealed.length) throw new Error('more than one record');
  const shared = keys.computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const secret = hmac(hmac(auth, shared), info, one);
  const extracted = hmac(salt, secret);
  const key = hmac(extracted, Buffer.from('Content-Encoding: aes128gcm\0'), one).subarray(0, 16);
  const nonce = hmac(extracted, Buffer.from('Content-Encoding: nonce\0'), one).subarray(0, 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('the record has no last-record delimiter');
  return padded.subarray(0, end);
}

export async function bytesOf(request: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}
