import { type Operation, type OperationName, operationNames, operations } from '@parley/protocol';
import type { FastifyInstance } from 'fastify';
import { dispatch } from '../calls/dispatch.ts';
import { invalid } from '../core/errors.ts';
import { httpBody } from '../core/json-reply.ts';
import { handlers } from '../operations/index.ts';
import type { Service } from '../service/interface.ts';
import type { AddressOf } from './addresses.ts';
import { JSON_TYPE } from './errors.ts';
import { browserOf } from './oidc-cookie.ts';
import { packAnswer } from './packed-answers.ts';
import type { RequestBodies } from './request-bodies.ts';
import { holdUntilSent } from './unread-answers.ts';

/** Maximum time that a read is charged: some wait for a bot or a provider, and use no time of the loop meanwhile. */
const MAX_CHARGED_MS = 50;

const declarationOf = (name: OperationName): Operation => operations[name];

/** The operations whose body is a file. */
export const uploads = operationNames.filter((name) => declarationOf(name).upload);

/** Routes of all other operations. */
export function serveOperations(
  app: FastifyInstance,
  { service, bodies, addressOf }: { service: Service; bodies: RequestBodies; addressOf: AddressOf },
): void {
  for (const name of operationNames) {
    const { policy, upload } = declarationOf(name);
    if (upload) continue;
    app.post(`/api/${name}`, { config: { operation: name, isOpen: policy.open === true } }, async (request, reply) => {
      const body = request.body;
      if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
        bodies.countRefusal(request);
        throw invalid('body', 'must be a JSON object');
      }
      const share = bodies.shareOf(request);
      const begunAt = performance.now();
      const browser = name === 'exchangeSignIn' ? browserOf(service.config, request.headers) : undefined;
      const calling = dispatch(service, name, body, {
        caller: request.caller,
        address: addressOf(request.raw),
        browser,
      });
      const isRead = handlers[name].kind === 'read';
      // Of a write only the check of its fields is charged: the rest of its time is spent in the store.
      if (!isRead) share.charge(performance.now() - begunAt);
      let answer: string | Buffer;
      try {
        answer = httpBody(await calling);
      } finally {
        if (isRead) share.charge(Math.min(performance.now() - begunAt, MAX_CHARGED_MS));
      }
      const held = isRead ? holdUntilSent(service.answers, bodies.ownerOf(request), reply.raw, answer) : null;
      const packed = await packAnswer(name, answer, request, reply);
      // Not if the connection has closed meanwhile, or its memory was given to another owner.
      if (packed !== answer && held && held.bytes > 0) held.set(packed.length);
      return reply.type(JSON_TYPE).send(packed);
    });
  }
}
