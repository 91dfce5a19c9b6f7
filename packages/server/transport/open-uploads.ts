import { isUuid } from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/call.ts';
import { admitCall } from '../calls/dispatch.ts';
import { assertMayCall } from '../calls/may-call.ts';
import { invalid, notFound, ServiceError, unavailable } from '../core/errors.ts';
import { httpError, httpReply } from '../core/json-reply.ts';
import { renderJson } from '../core/json.ts';
import type { UploadProgress } from '../files/open-uploads.ts';
import type { Service } from '../service/interface.ts';
import type { AddressOf } from './addresses.ts';
import { fileScope } from './uploads.ts';

const VERSION = '1.0.0';
const BODY_TYPE = /^application\/offset\+octet-stream\s*(;|$)/i;
const PATH = '/api/uploads';

interface OpenUploadParts {
  service: Service;
  addressOf: AddressOf;
  /** Authenticates the caller again if the body took long (AUTH-16). */
  authenticate: (request: FastifyRequest) => Promise<void>;
  jsonType: string;
}

type UploadRequest = FastifyRequest<{ Params: { id: string } }>;

/** Uploads that continue after a lost connection: the protocol tus 1.0, and GET for the file that one became (FILE-32). */
export function serveOpenUploads(app: FastifyInstance, parts: OpenUploadParts): void {
  const { service, addressOf, authenticate, jsonType } = parts;
  const { openUploads } = service.files;
  const config = { operation: 'uploadFile' } as const;

  /** Who may call uploadFile may do this; a new upload counts as one, every other request as a write. */
  const admit = async (request: FastifyRequest): Promise<Caller> => {
    const { caller } = request;
    assertMayCall('uploadFile', caller, service.clock.now());
    if (!caller) throw new ServiceError('unauthenticated', 'a valid access token is needed');
    if (service.isDraining) throw unavailable('the service is stopping');
    const address = addressOf(request.raw);
    if (request.method === 'POST') await admitCall(service, 'uploadFile', undefined, { caller, address });
    else
      await service.rateLimits?.admit(
        { rate: 'writes', params: undefined, caller, address },
        service.clock.monotonic(),
      );
    return caller;
  };
  const capabilities = async (_request: FastifyRequest, reply: FastifyReply) =>
    reply
      .code(204)
      .headers({
        'tus-resumable': VERSION,
        'tus-version': VERSION,
        'tus-extension': 'creation,expiration,termination',
        'tus-max-size': String(await openUploads.largest()),
      })
      .send();

  fileScope(app, service, (scope) => {
    // A handler that answers 412 itself: no error of an operation has this status.
    scope.addHook('preHandler', async (request, reply) => {
      if (request.method !== 'OPTIONS') reply.header('tus-resumable', VERSION);
      if (request.method === 'OPTIONS' || request.method === 'GET' || request.headers['tus-resumable'] === VERSION)
        return undefined;
      const error = httpError('invalid_argument', `the header Tus-Resumable must be ${VERSION}`, {
        field: 'tus-resumable',
      });
      return reply.code(412).header('tus-version', VERSION).type(jsonType).send(error);
    });
    scope.options(PATH, { config: { isOpen: true } }, capabilities);
    scope.options(`${PATH}/:id`, { config: { isOpen: true } }, capabilities);

    scope.post(PATH, { config }, async (request, reply) => {
      const caller = await admit(request);
      if (hasBody(request)) throw invalid('body', 'must be empty: send the bytes with PATCH');
      const size = wholeNumber(request, 'upload-length');
      const id = await openUploads.begin(caller, { name: nameIn(request.headers['upload-metadata']), size });
      const progress = await openUploads.progress(caller, id);
      return reply.code(201).header('location', `${PATH}/${id}`).headers(headersOf(progress)).send();
    });
    scope.head<{ Params: { id: string } }>(`${PATH}/:id`, { config }, async (request, reply) => {
      const progress = await openUploads.progress(await admit(request), idOf(request));
      return reply.headers(headersOf(progress)).send();
    });
    scope.patch<{ Params: { id: string } }>(`${PATH}/:id`, { config }, async (request, reply) => {
      const caller = await admit(request);
      const id = idOf(request);
      if (!BODY_TYPE.test(request.headers['content-type'] ?? ''))
        throw new ServiceError('unsupported_media_type', 'the body must be application/offset+octet-stream');
      const { 'content-length': length } = request.headers;
      const progress = await openUploads.append(caller, id, {
        offset: wholeNumber(request, 'upload-offset'),
        bytes: request.raw,
        length: length === undefined ? null : Number(length),
        whenWhole: () => authenticate(request),
      });
      return reply.code(204).headers(headersOf(progress)).send();
    });
    scope.delete<{ Params: { id: string } }>(`${PATH}/:id`, { config }, async (request, reply) => {
      await openUploads.cancel(await admit(request), idOf(request));
      return reply.code(204).send();
    });
    scope.get<{ Params: { id: string } }>(`${PATH}/:id`, { config }, async (request, reply) => {
      const caller = await admit(request);
      const file = await openUploads.result(caller, idOf(request));
      return reply.type(jsonType).send(httpReply(service.files.urls.sign(renderJson(file), caller.key)));
    });
  });
}

const idOf = ({ params: { id } }: UploadRequest): string => {
  if (!isUuid(id)) throw notFound('upload');
  return id.toLowerCase();
};

const headersOf = ({ received, size, expiresAt }: UploadProgress): Record<string, string> => ({
  'upload-offset': String(received),
  'upload-length': String(size),
  'upload-expires': new Date(expiresAt).toUTCString(),
});

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function wholeNumber({ headers }: FastifyRequest, name: string): number {
  const given = headers[name];
  if (typeof given !== 'string' || !/^\d{1,15}$/.test(given)) throw invalid(name, 'must be a whole number of bytes');
  return Number(given);
}

/** The file name in `Upload-Metadata`: pairs of a key and a value in base64, separated by commas. */
function nameIn(metadata: string | string[] | undefined): string {
  const pairs = String(metadata ?? '').split(',');
  for (const pair of pairs) {
    const [key, value = ''] = pair.trim().split(' ');
    if (key === 'filename') return Buffer.from(value, 'base64').toString();
  }
  return '';
}
