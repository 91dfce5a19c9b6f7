import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { featureLevel, limits, ownNames, socketMethods } from '@parley/protocol';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../access/call.ts';
import { dispatch } from '../calls/dispatch.ts';
import { forbidden, invalid, notFound, ServiceError, unavailable } from '../core/errors.ts';
import { toServiceError } from '../core/json-reply.ts';
import type { Handler } from '../operations/handler.ts';
import { handlers } from '../operations/index.ts';
import type { Service } from '../service/interface.ts';
import { eventsOf } from '../access/grant-conversations.ts';
import type { Within } from '../log/hub.ts';
import { classesOf } from '../log/caps.ts';
import { type Methods, SocketSession } from '../sockets/session.ts';
import { addressReader } from './addresses.ts';
import { ownerOf } from '../core/byte-budget.ts';
import type { Intake } from './intake.ts';
import type { Metrics } from './metrics.ts';
import { guardDevTokens, hasSeveralHosts, isAllowedOrigin } from './origins.ts';
import { refuse } from './refuse.ts';
import { securityHeaders } from './security-headers.ts';
import { guardFrames } from './unfinished-frames.ts';

const MAX_FRAGMENTS = 1_024;

interface Admitted {
  caller: Caller;
  /** The caller's Account as JSON. */
  account: string;
  caps: string | null;
  /** The only conversations whose events the socket receives; null for all. */
  within: Within | null;
}

const ownerOfSession = ({ caller, address }: SocketSession): string => ownerOf(caller, address);

/** Serves WebSockets at GET /api/ws: an upgrade is refused with an HTTP status, or the socket is greeted with hello. */
export function serveSockets(server: Server, service: Service, metrics: Metrics, intake: Intake): void {
  const upgrader = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.bodyBytes,
    maxFragments: MAX_FRAGMENTS,
    perMessageDeflate: false,
    // SocketSession answers pings itself: a flood must neither close the socket nor fill its buffer.
    autoPong: false,
  });
  const security = securityHeaders(service.config);
  upgrader.on('wsClientError', (error, stream) =>
    refuse(stream, invalid('upgrade', `is refused: ${error.message}`), security),
  );
  upgrader.on('headers', (lines) =>
    lines.push(...Object.entries(security).map(([name, value]) => `${name}: ${value}`)),
  );
  const addressOf = addressReader(service.config);

  const call: Methods['call'] = async (session, method, params) => {
    const known = socketMethods.get(method);
    const label = known?.operation ?? 'unknown';
    try {
      if (!known) {
        methods.countRefusal(session);
        throw notFound('operation');
      }
      // A request's params are an object, or absent: the session has checked that.
      const own = ownNames(known, (params ?? {}) as Record<string, unknown>);
      const result = await dispatch(service, known.operation, own, {
        caller: session.caller,
        socketId: session.id,
        address: session.address,
        order: session.order,
      });
      metrics.countRequest(label, 'socket', 'ok');
      return result;
    } catch (error) {
      const known = toServiceError(error);
      if (!(error instanceof ServiceError)) service.logger.error({ err: error, operation: label }, 'a request failed');
      metrics.countRequest(label, 'socket', known.code);
      throw known;
    }
  };

  const methods: Methods = {
    call,
    isRead,
    isPage,
    shareOf: (session) => intake.shares.of(ownerOfSession(session)),
    admitJson: (session, parts) => service.arrivals?.admitJson(ownerOfSession(session), parts),
    countRefusal: (session) => service.arrivals?.countRefusal(ownerOfSession(session)),
  };

  const greet = (
    socket: WebSocket,
    stream: Duplex,
    request: IncomingMessage,
    { caller, account, caps, within }: Admitted,
  ) => {
    const session = new SocketSession({
      id: service.others.newSocketId(),
      socket,
      stream,
      caller,
      address: addressOf(request),
      classes: classesOf(caps),
      within,
      clock: service.clock,
      methods,
      hub: service.hub,
    });
    const { connection } = session;
    socket.on('message', (data: Buffer, isBinary) => {
      connection.heard();
      session.receive(data, isBinary);
    });
    socket.on('pong', (payload) => connection.pong(payload));
    socket.on('ping', (payload) => connection.pinged(payload));
    socket.on('error', () => {}); // ws closes the socket itself, with the right code
    // 1006: the client sent no close frame.
    socket.on('close', (code) => service.sockets.remove(session, code !== 1006));
    guardFrames(socket, stream, ownerOf(caller, session.address), intake);
    service.sockets.add(session);
    session
      .greet((last) => hello(account, last, session.id))
      .catch((error: unknown) => {
        if (!(error instanceof ServiceError)) service.logger.error({ err: error }, 'failed to greet a socket');
        session.close(1013, 'the service is unavailable; try again');
      });
  };

  const refuseIfStopping = (): void => {
    if (service.isDraining) throw unavailable('the service is stopping');
  };

  const upgrade = async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> => {
    for (;;) {
      refuseIfStopping();
      const { changes } = service.authenticator;
      const admitted = await admit(service, request, intake.logRefusedOrigin);
      if (stream.destroyed) return;
      // Checked again after that read: closeAll has already run for the sockets before it.
      refuseIfStopping();
      intake.connections.authenticated(stream);
      // If any account was disabled or renamed during that read, read again: this socket could not be notified yet.
      if (changes !== service.authenticator.changes) continue;
      // One write for the response and the hello, unless the hello must wait for a flush or a load.
      stream.cork();
      upgrader.handleUpgrade(request, stream, head, (socket) => greet(socket, stream, request, admitted));
      process.nextTick(() => stream.uncork());
      return;
    }
  };

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    upgrade(request, stream, head).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) service.logger.error({ err: error }, 'an upgrade failed');
      refuse(stream, toServiceError(error), security);
    });
  });
}

function handlerOf(method: string): Handler | undefined {
  const known = socketMethods.get(method);
  return known && handlers[known.operation];
}

const isRead = (method: string): boolean => handlerOf(method)?.kind === 'read';

function isPage(method: string): boolean {
  const handler = handlerOf(method);
  return handler?.kind === 'read' && !handler.waits;
}

const hello = (account: string, head: number, socketId: string): string =>
  `{"method":"events.hello","params":${account},"head":${head},"socket":"${socketId}","feature_level":${featureLevel}}`;

async function admit(
  service: Service,
  request: IncomingMessage,
  logRefusedOrigin: (origin: string) => void,
): Promise<Admitted> {
  const { config, authenticator } = service;
  const { host, origin, authorization } = request.headers;
  const url = URL.parse(request.url ?? '', 'http://localhost');
  if (url?.pathname !== '/api/ws') throw notFound('page');
  if (hasSeveralHosts(request)) throw invalid('host', 'may occur only once');
  guardDevTokens(config, request.headers, true);
  if (origin !== undefined && !isAllowedOrigin(config, origin, host)) {
    logRefusedOrigin(origin);
    throw forbidden('this origin is not allowed');
  }
  const token = url.searchParams.get('token') ?? /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const admitted = await authenticator.admit(token);
  const { grant } = admitted.caller;
  const within = grant ? ((await eventsOf(service.read, grant)) ?? null) : null;
  return { ...admitted, caps: url.searchParams.get('caps'), within };
}
