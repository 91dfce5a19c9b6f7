import type { Readable } from 'node:stream';
import { sentFields } from '@parley/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { admitCall, dispatch } from '../calls/dispatch.ts';
import { invalid, notFound } from '../core/errors.ts';
import { idText } from '../core/ids.ts';
import { httpReply } from '../core/json-reply.ts';
import { isSlackMessage } from '../rules/slack-message.ts';
import type { Service } from '../service/interface.ts';
import { webhookOf } from '../store/webhooks.ts';
import type { AddressOf } from './addresses.ts';
import type { RequestBodies } from './request-bodies.ts';

interface HookParts {
  service: Service;
  addressOf: AddressOf;
  bodies: RequestBodies;
  jsonType: string;
}

/** What the webhook itself decides; its account has no draft. */
const OWN: readonly string[] = ['chat_id', 'channel_id', 'clear_draft'];
/**
 * The fields of sendMessage that a post may set: those that a scheduled message has too. Not `service`: a stranger's words must
 * not look like the service's.
 */
const FIELDS = Object.keys(sentFields).filter((field) => !OWN.includes(field));

/** Maximum fields of a form: Slack's has one. */
const MAX_FORM_FIELDS = 32;

/** Marks a body that came as Slack's form field `payload`. */
class SlackForm {
  readonly payload: unknown;

  constructor(payload: unknown) {
    this.payload = payload;
  }
}

/** Takes the posts to webhooks: each becomes a message of the webhook's account (WEBHOOK-3 …). */
export function serveHooks(app: FastifyInstance, { service, addressOf, bodies, jsonType }: HookParts): void {
  const readForm = async (request: FastifyRequest, payload: Readable): Promise<SlackForm> => {
    const text = (await bodies.read(request, payload)).toString();
    return new SlackForm(await bodies.parse(request, payloadOf(text)));
  };
  // Registered in its own scope, so that its parser applies to this route only.
  void app.register(async (scope) => {
    const type = /^application\/x-www-form-urlencoded\s*(;|$)/i;
    scope.addContentTypeParser(type, (request: FastifyRequest, payload: Readable) =>
      bodies.counted(request, readForm(request, payload)),
    );
    const serve = (path: string, isOfSlack: boolean) =>
      scope.post<{ Params: { secret: string } }>(path, { config: { isHook: true } }, async (request, reply) => {
        const { body, caller } = request;
        const { textReader } = service.rooms;
        const origin = { caller, address: addressOf(request.raw) };
        // Before the message is translated.
        await admitCall(service, 'sendMessage', body, origin);
        const message = body instanceof SlackForm ? body.payload : body;
        if (!isObject(message)) throw invalid('body', 'must be a JSON object');
        const webhook = caller && (await service.read.get(webhookOf, caller.key));
        // It ended while the body arrived.
        if (!caller || !webhook) throw notFound('webhook');
        const isSlack = isOfSlack || body instanceof SlackForm || isSlackMessage(message);
        const fields = Object.fromEntries(FIELDS.map((field) => [field, message[field]]));
        const key = request.headers['idempotency-key'];
        const input = {
          ...(isSlack ? { text: await textReader.textOfPost(message, caller.ownerKey) } : fields),
          ...(key !== undefined && { client_msg_id: key }),
          chat_id: idText(webhook.chat_id),
          channel_id: webhook.channel_id && idText(webhook.channel_id),
        };
        const result = await dispatch(service, 'sendMessage', input, { ...origin, isAdmitted: true });
        // Slack's clients expect this text.
        return isSlack
          ? reply.type('text/plain; charset=utf-8').send('ok')
          : reply.type(jsonType).send(httpReply(result));
      });
    serve('/hooks/:secret', false);
    // As at Mattermost and Discord: the address says the form of the body.
    serve('/hooks/:secret/slack', true);
  });
}

/** The JSON in a Slack form. */
function payloadOf(form: string): Buffer {
  // Counted first: parsing very many fields would block the event loop.
  if (form.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) throw invalid('body', 'has too many fields');
  return Buffer.from(new URLSearchParams(form).get('payload') ?? '');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
