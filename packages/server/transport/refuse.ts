import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorStatus } from '@parley/protocol';
import type { ServiceError } from '../core/errors.ts';
import { httpError } from '../core/json-reply.ts';
import type { SecurityHeaders } from './security-headers.ts';

/** Writes an error response to a raw stream: before an upgrade, or if the request could not be parsed. */
export function refuse(stream: Duplex, { code, message, parameters }: ServiceError, headers: SecurityHeaders): void {
  if (!stream.writable) return void stream.destroy();
  const status = errorStatus[code];
  const body = httpError(code, message, parameters);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // The client may never close its half of the connection.
  stream.once('finish', () => stream.destroy());
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `cache-control: no-store\r\nx-request-id: ${randomUUID()}\r\n` +
      `${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
