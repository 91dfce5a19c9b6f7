import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../core/errors.ts';
import type { Service } from '../service/interface.ts';
import type { Metrics } from './metrics.ts';

/** What operators and load balancers ask. */
export function serveProbes(app: FastifyInstance, service: Service, metrics: Metrics): void {
  const probe = { config: { isOpen: true, isProbe: true } };
  app.get('/healthz', probe, () => ({ ok: true }));
  app.get('/readyz', probe, async (_request, reply) => {
    if (service.isDraining) throw new ServiceError('unavailable', 'draining');
    if (!(await service.isReady())) throw new ServiceError('unavailable', 'the store does not answer');
    // A node with a full disk stays ready: reads and deletes work, and no other node has more space.
    return reply.send({ ok: true, ...(service.disk.isFull && { writes: 'disk is full' }) });
  });
  app.get('/metrics', probe, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
