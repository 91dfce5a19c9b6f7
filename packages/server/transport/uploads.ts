import type { OperationName } from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admitCall, dispatch } from '../calls/dispatch.ts';
import { assertMayCall } from '../calls/may-call.ts';
import { invalid, ServiceError } from '../core/errors.ts';
import { httpReply } from '../core/json-reply.ts';
import type { Service } from '../service/interface.ts';
import type { AddressOf } from './addresses.ts';
import { readUpload } from './upload-body.ts';

/** How long the rest of a refused body is read and discarded, so that the client can reuse its connection. */
const LINGER_MS = 5_000;

interface UploadParts {
  service: Service;
  addressOf: AddressOf;
  /** Authenticates the caller again if the body took long (AUTH-16). */
  authenticate: (request: FastifyRequest) => Promise<void>;
  jsonType: string;
}

/** Routes of the operations whose body is a file; all other operations accept only JSON. */
export function serveUploads(app: FastifyInstance, names: readonly OperationName[], parts: UploadParts): void {
  const { service, addressOf, authenticate, jsonType } = parts;
  const handle = async (name: OperationName, request: FastifyRequest, reply: FastifyReply) => {
    const { maxFileBytes } = service.config;
    const origin = { caller: request.caller, address: addressOf(request.raw) };
    assertMayCall(name, request.caller, service.clock.now());
    // Before the body is read, which costs more than anything else here (LIMIT-28).
    await admitCall(service, name, undefined, origin);
    requireForm(request);
    const whenWhole = () => authenticate(request);
    const { file, stop } = await readUpload(request.raw, { maxFileBytes, whenWhole });
    try {
      const result = await dispatch(service, name, { file }, { ...origin, isAdmitted: true });
      return await reply.type(jsonType).send(httpReply(result));
    } finally {
      stop();
    }
  };
  fileScope(app, service, (scope) => {
    for (const name of names)
      scope.post(`/api/${name}`, { config: { operation: name } }, async (request, reply) =>
        handle(name, request, reply),
      );
  });
}

/** Registers routes that read their body themselves, in a scope of their own, so that its parsers apply to no others. */
export function fileScope(app: FastifyInstance, service: Service, register: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.addHook('onSend', async (request) => linger(service, request));
    register(scope);
  });
}

function requireForm({ headers: { 'content-type': type } }: FastifyRequest): void {
  if (type === undefined) throw invalid('file', 'is missing');
  if (!/^multipart\/form-data\s*(;|$)/i.test(type))
    throw new ServiceError('unsupported_media_type', 'the body must be multipart/form-data');
}

/** For a request answered before its body was complete: discards the rest, for a limited time (FILE-1). */
function linger({ clock }: Service, { raw }: FastifyRequest): void {
  const { socket } = raw;
  if (raw.complete || socket.destroyed) return;
  const timer = clock.setTimer(() => socket.destroy(), LINGER_MS);
  const cancel = () => {
    timer.cancel();
    socket.off('close', cancel);
  };
  raw.once('end', cancel);
  socket.once('close', cancel);
  raw.resume();
}
