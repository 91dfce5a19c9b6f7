// webhooks/: events sent to the addresses of subscriptions. Imports recovery and below.
import { createHmac } from 'node:crypto';

/** The headers of a request in the form of Standard Webhooks: a receiver checks that the body is ours and fresh. */
export function signedHeaders(secret: string, { id, at, body }: { id: string; at: number; body: string }) {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
