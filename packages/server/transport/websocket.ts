import type { IncomingMessage, Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { featureLevel, limits, ownNames, socketMethods } from '@parley/protocol';
import { WebSocketServer } from 'ws';
import type { Caller } from '../call.ts';
import { dispatch } from '../dispatch.ts';
import { forbidden, notFound, ServiceError } from '../errors.ts';
import { errorStatus } from '@parley/protocol';
import { httpError, toServiceError } from '../json-reply.ts';
import type { Service } from '../service.ts';
import { classesOf } from '../sockets/caps.ts';
import { SocketSession } from '../sockets/session.ts';
import { accountJson } from '../store/accounts.ts';
import type { Metrics } from './metrics.ts';
import { isAllowedHost, isAllowedOrigin } from './origins.ts';

const MAX_FRAGMENTS = 1_024;

/** Puts the WebSocket at GET /api/ws: refused with an HTTP status before the upgrade, or greeted with hello. */
export function serveSockets(server: Server, service: Service, metrics: Metrics): void {
  const upgrader = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.bodyBytes,
    maxFragments: MAX_FRAGMENTS,
    perMessageDeflate: false,
    // Pongs and closes are ours to time; text is parsed as it comes.
    autoPong: true,
  });

  const call = async (session: SocketSession, method: string, params: unknown): Promise<string | undefined> => {
    const known = socketMethods.get(method);
    const label = known?.operation ?? 'unknown';
    try {
      if (!known) throw notFound('operation');
      // A request's params are an object, or absent: the session has checked that.
      const own = ownNames(known, (params ?? {}) as Record<string, unknown>);
      const result = await dispatch(service, known.operation, own, {
        caller: session.caller,
        socketId: session.id,
        address: session.address,
      });
      metrics.requests.inc({ operation: label, transport: 'socket', code: 'ok' });
      return result;
    } catch (error) {
      const known = toServiceError(error);
      if (!(error instanceof ServiceError)) service.logger.error({ err: error, operation: label }, 'a request failed');
      metrics.requests.inc({ operation: label, transport: 'socket', code: known.code });
      throw known;
    }
  };

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    admit(service, request).then(
      ({ caller, caps }) => {
        if (stream.destroyed) return;
        upgrader.handleUpgrade(request, stream, head, (socket) => {
          const address = (stream as Socket).remoteAddress ?? ''; // node:http hands over a net.Socket
          const session = new SocketSession({
            socket,
            stream,
            caller,
            address,
            classes: classesOf(caps),
            now: service.clock.now(),
            call,
            hub: service.hub,
          });
          const heard = () => void (session.heardAt = service.clock.now());
          socket.on('message', (data: Buffer, isBinary) => {
            heard();
            session.receive(data, isBinary);
          });
          socket.on('pong', heard);
          socket.on('ping', heard);
          socket.on('error', () => {}); // ws closes the socket itself, with the right code
          // 1006: the other side has not said goodbye
          socket.on('close', (code) => service.sockets.remove(session, code !== 1006));
          // The account is in the cache: authentication has just read it.
          void accountJson(service.read, caller.key).then((account) => {
            if (!session.isOpen) return;
            service.sockets.add(session);
            session.greet((last) => hello(account, last, session.id));
          });
        });
      },
      (error: unknown) => refuse(stream, toServiceError(error)),
    );
  });
}

const hello = (account: string, head: number, socketId: string): string =>
  `{"method":"events.hello","params":${account},"head":${head},"socket":"${socketId}","feature_level":${featureLevel}}`;

async function admit(service: Service, request: IncomingMessage): Promise<{ caller: Caller; caps: string | null }> {
  const { config, authenticator } = service;
  const { host, origin, authorization } = request.headers;
  const url = URL.parse(request.url ?? '', 'http://localhost');
  if (url?.pathname !== '/api/ws') throw notFound('page');
  if (!isAllowedHost(config, host)) throw forbidden('with development tokens on, only a loopback host name is served');
  if (origin !== undefined && !isAllowedOrigin(config, origin, host)) throw forbidden('this origin is not allowed');
  if (service.isDraining) throw new ServiceError('unavailable', 'the service is stopping');
  const token = url.searchParams.get('token') ?? /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const caller = await authenticator.authenticate(token);
  return { caller, caps: url.searchParams.get('caps') };
}

function refuse(stream: Duplex, { code, message, parameters }: ServiceError): void {
  const status = errorStatus[code];
  const body = httpError(code, message, parameters);
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `cache-control: no-store\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
