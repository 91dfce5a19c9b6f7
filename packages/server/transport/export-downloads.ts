import type { FastifyInstance } from 'fastify';
import { EXPORT_PATH, type ExportQuery } from '../exports/exports.ts';
import type { Service } from '../service/interface.ts';

/** Serves the download of an account's data export; the signed address names the account (EXPORT-1). */
export function serveExports(app: FastifyInstance, service: Service): void {
  app.get<{ Querystring: ExportQuery }>(EXPORT_PATH, { config: { isOpen: true } }, async (request, reply) => {
    const { account, document } = await service.exports.open(request.query);
    return reply
      .headers({
        'content-disposition': `attachment; filename="parley-${account.username}.json"`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .type('application/json; charset=utf-8')
      .send(document);
  });
}
