import { isUuid } from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assertTakesPart } from '../calls/may-call.ts';
import { assertTokenMayRead } from '../calls/token-files.ts';
import { forbidden, notFound } from '../core/errors.ts';
import { avatarBytesOf } from '../files/avatars.ts';
import { pictureBytesOf } from '../files/emoji.ts';
import { isShown } from '../files/content-types.ts';
import { disposition } from '../rules/file-names.ts';
import type { SignedQuery } from '../secrets/signed-url.ts';
import { idBytes, idText } from '../core/ids.ts';
import type { Service } from '../service/interface.ts';
import { accountByKey } from '../store/accounts.ts';
import { emojiWithPicture } from '../store/emoji.ts';
import { avatarByName, type FileRow } from '../store/files.ts';
import { bytesOf, thumbnailBytesOf } from '../files/stored-files.ts';
import { isKnown, partOf } from './ranges.ts';

/** Whatever a file contains, the browser runs no script in it and lets it load nothing (FILE-9). */
const security = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
/** How long a browser may cache a file: as long as its signed address is valid. */
const KEPT_S = 600;
const FOREVER_S = 31_536_000;

/** A response body and its headers. */
interface Content {
  name: string;
  size: number;
  type: string;
  disposition: string;
  cache: string;
  /** The `cross-origin-resource-policy`: which sites may embed the bytes. */
  policy: string;
}

interface FileRoute {
  Params: { id: string };
  Querystring: SignedQuery;
}
type FileRequest = FastifyRequest<FileRoute>;

/** Routes that serve uploaded files, thumbnails, avatars and custom emoji (FILE-4, FILE-9, FILE-10, FILE-14, EMOJI-4). */
export function serveFiles(
  app: FastifyInstance,
  service: Service,
  tokenOf: (request: { headers: { authorization?: string | undefined } }) => string | undefined,
): void {
  const { files, read, authenticator, config } = service;
  const policy = config.allowedOrigins.length > 0 ? 'cross-origin' : 'same-origin';
  const route = { method: ['GET', 'HEAD'], config: { isOpen: true } };

  const readerOf = async ({ query, params, headers }: FileRequest): Promise<number> => {
    if (query.s === undefined) {
      const caller = await authenticator.authenticate(tokenOf({ headers }));
      assertTakesPart(caller);
      if (caller.grant) await assertTokenMayRead(service, caller.grant, { id: params.id, accountKey: caller.key });
      return caller.key;
    }
    const key = files.urls.accountOf(params.id, query);
    const account = key === null ? undefined : await read.get(accountByKey, key);
    if (!account || account.deleted_at !== null || account.disabled_at !== null || account.pending === 1)
      throw forbidden('this address has expired or its signature is wrong');
    return account.key;
  };
  const fileOf = async (request: FileRequest): Promise<FileRow> => {
    const reader = await readerOf(request);
    const file = isUuid(request.params.id) ? await files.find(idBytes(request.params.id), reader) : undefined;
    if (!file) throw notFound('file');
    return file;
  };

  app.route<FileRoute>({
    ...route,
    url: '/files/:id',
    handler: async (request, reply) => {
      const { id, kind, name, mime_type: type, size } = await fileOf(request);
      return send(service, request, reply, {
        name: bytesOf(idText(id)),
        size,
        type: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
        disposition: disposition(isShown(kind, type) ? 'inline' : 'attachment', name),
        cache: `private, max-age=${KEPT_S}`,
        policy,
      });
    },
  });
  app.route<FileRoute>({
    ...route,
    url: '/files/:id/thumbnail',
    handler: async (request, reply) => {
      const { id, thumbnail_size: size } = await fileOf(request);
      if (size === 0) throw notFound('file');
      const name = thumbnailBytesOf(idText(id));
      const cache = `private, max-age=${KEPT_S}`;
      return send(service, request, reply, { name, size, type: 'image/webp', disposition: 'inline', cache, policy });
    },
  });
  app.route<{ Params: { name: string } }>({
    ...route,
    url: '/avatars/:name.webp',
    handler: async (request, reply) => {
      const found = await read.get(avatarByName, request.params.name);
      if (!found) throw notFound('file');
      return send(service, request, reply, {
        name: avatarBytesOf(request.params.name),
        size: found.size,
        type: 'image/webp',
        disposition: 'inline',
        cache: `public, max-age=${FOREVER_S}, immutable`,
        policy: 'cross-origin',
      });
    },
  });
  app.route<{ Params: { picture: string } }>({
    ...route,
    url: '/emoji/:picture',
    handler: async (request, reply) => {
      const found = await read.get(emojiWithPicture, request.params.picture);
      if (!found) throw notFound('file');
      return send(service, request, reply, {
        name: pictureBytesOf(found.picture),
        size: found.size,
        type: found.mime_type,
        disposition: 'inline',
        cache: `public, max-age=${FOREVER_S}, immutable`,
        policy: 'cross-origin',
      });
    },
  });
}

/** Sends all bytes, the requested range, or 304 if the client's copy is current (RFC 9110). */
async function send(
  { files, logger }: Service,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { name, size, type, disposition: shownAs, cache, policy }: Content,
): Promise<FastifyReply> {
  const etag = `"${name}"`;
  const isHead = method === 'HEAD';
  const isOld = isKnown(headers['if-none-match'], etag);
  const part = isHead ? 'all' : partOf(headers, etag, size);
  const isRead = !isHead && !isOld && part !== 'none';
  const stream = isRead ? await files.storage.read(name, part === 'all' ? undefined : part) : undefined;
  if (isRead && !stream) {
    logger.error({ file: name }, 'the bytes of a file are missing from storage');
    throw notFound('file');
  }
  reply.headers({
    ...security,
    etag,
    'accept-ranges': 'bytes',
    'cache-control': cache,
    'content-disposition': shownAs,
    'cross-origin-resource-policy': policy,
  });
  if (isOld) return reply.code(304).send();
  if (part === 'none') return reply.code(416).header('content-range', `bytes */${size}`).send();
  reply.type(type).header('content-length', part === 'all' ? size : part.last - part.first + 1);
  if (part !== 'all') reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${size}`);
  return reply.send(stream);
}
