// transport/: HTTP and WebSocket. Imports every room but admin.
import type { AddressInfo } from 'node:net';
import { thisThread } from '../core/held-thread.ts';
import { ConfigError } from '../service/config.ts';
import type { Service } from '../service/interface.ts';
import { createHttp } from './http.ts';
import { createIntake } from './intake.ts';
import { createMetrics } from './metrics.ts';
import { serveSockets } from './websocket.ts';

/** Length of the accept queue: after a restart thousands of clients reconnect at once and must not be refused. */
const BACKLOG = 8_192;
/** How long connections may take to end after the service has drained. */
const GRACE_MS = 1_000;

export interface RunningServer {
  url: string;
  /** Stops accepting, answers open requests, ends turns within `patienceMs`, then closes sockets with 1012. */
  close(patienceMs?: number): Promise<void>;
}

export async function startServer(service: Service): Promise<RunningServer> {
  const { config } = service;
  const metrics = createMetrics(service);
  const intake = createIntake(service);
  const app = createHttp(service, metrics, intake);
  intake.connections.watch(app.server);
  serveSockets(app.server, service, metrics, intake);
  try {
    await app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  } catch (error) {
    await app.close();
    throw new ConfigError(`HOST, PORT: ${error instanceof Error ? error.message : String(error)}`);
  }
  // From here on somebody may wait: the start itself holds the thread (OPS-7).
  const endReports = thisThread.listen((callback) => service.held.record('main', callback));
  // A server that listens on TCP has an address of this type.
  const { port } = app.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `http://${host}:${port}`,
    async close(patienceMs = 0) {
      try {
        await service.drain(patienceMs);
      } finally {
        // A request that is incomplete by then must not delay the restart.
        const cut = service.clock.setTimer(() => app.server.closeAllConnections(), GRACE_MS);
        await app.close();
        cut.cancel();
        endReports();
        await service.close();
      }
    },
  };
}
