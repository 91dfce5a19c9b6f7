import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHmac } from 'node:crypto';
import type { Frame } from '@parley/protocol';
import { Waits } from '@parley/testing/world/waits.ts';

export interface Delivery {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { subscription_id: string; frames: Frame[]; truncated?: true };
}

/** A program that receives events, with the address that the operator must permit. */
export class Receiver implements AsyncDisposable {
  readonly got: Delivery[] = [];
  /** Answers a request; by default with 204. */
  answer: (response: ServerResponse, delivery: Delivery) => void = (response) => response.writeHead(204).end();
  readonly #waits = new Waits(() => `${this.got.length} requests have arrived`);
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { url = '', headers } = request;
      // The service sends JSON of this form (WEBHOOK-21).
      const delivery = { path: url, headers, text, body: JSON.parse(text) as Delivery['body'] };
      this.got.push(delivery);
      this.answer(response, delivery);
      this.#waits.look();
    });
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((started) => receiver.#server.listen(0, '127.0.0.1', started));
    return receiver;
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo; // it listens on TCP
    return `http://127.0.0.1:${port}`;
  }

  /** The variables with which the service may send here. */
  get env(): Record<string, string> {
    return { WEBHOOK_ENDPOINTS: `public,${this.origin}` };
  }

  /** Everything that has arrived at a path, in order. */
  framesAt(path: string): Frame[] {
    return this.got.filter((delivery) => delivery.path === path).flatMap(({ body }) => body.frames);
  }

  arrived(count: number): Promise<true> {
    return this.#waits.until(() => (this.got.length >= count ? true : undefined));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** Whether a request has the signature that Standard Webhooks defines. */
export function isSigned({ headers, text }: Delivery, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
