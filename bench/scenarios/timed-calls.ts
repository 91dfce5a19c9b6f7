import type { HttpConnection } from '../load/http-connection.ts';

interface TimedCall {
  operation: string;
  token: string;
  input: object;
}

/** Times one call from the first byte sent to the last byte received, without parsing the reply. */
export async function timedCall(connection: HttpConnection, call: TimedCall): Promise<{ ms: number; body: Buffer }> {
  const body = JSON.stringify(call.input);
  const startMs = performance.now();
  const reply = await connection.post(`/api/${call.operation}`, call.token, body);
  const ms = performance.now() - startMs;
  if (reply.status !== 200) {
    throw new Error(`${call.operation} answered ${reply.status}: ${reply.body.toString().slice(0, 300)}`);
  }
  return { ms, body: reply.body };
}
