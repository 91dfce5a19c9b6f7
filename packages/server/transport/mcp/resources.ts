// The resources of /mcp: each conversation, with its newest messages, and the files in messages (MCPS-7).
import { isUuid } from '@parley/protocol';
import type { Caller } from '../../access/call.ts';
import { assertTokenMayRead } from '../../calls/token-files.ts';
import { ServiceError } from '../../core/errors.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { bytesOf } from '../../files/stored-files.ts';
import type { Service } from '../../service/interface.ts';

const CHATS = 'parley://chats/';
const FILES = 'parley://files/';
/** Maximum size of a file that is read as a resource: the answer holds it whole. */
const MAX_FILE = 1_048_576;
const JSON_TYPE = 'application/json';

interface Chat {
  id: string;
  title: string | null;
  participants: { display_name: string }[];
}

type Perform = (name: 'getChats' | 'getChat' | 'getChatHistory', params: object) => Promise<string>;

/** Addresses of resources that are too many to list. */
export const templates = [
  {
    uriTemplate: `${CHATS}{chat_id}`,
    name: 'conversation',
    title: 'A conversation with its newest messages',
    mimeType: JSON_TYPE,
  },
  { uriTemplate: `${FILES}{file_id}`, name: 'file', title: 'A file of a message, by the id of the attachment' },
];

const nameOf = ({ title, participants }: Chat): string =>
  title ?? participants.map(({ display_name }) => display_name).join(', ');

export async function listResources(perform: Perform, cursor: string | undefined) {
  const page = JSON.parse(await perform('getChats', cursor === undefined ? {} : { cursor })) as {
    items: Chat[];
    next_cursor?: string;
  }; // what getChats answers
  return {
    resources: page.items.map((chat) => ({ uri: CHATS + chat.id, name: nameOf(chat), mimeType: JSON_TYPE })),
    ...(page.next_cursor !== undefined && { nextCursor: page.next_cursor }),
  };
}

interface Reader {
  service: Pick<Service, 'files' | 'read' | 'clock'>;
  caller: Caller;
  perform: Perform;
  /** Several requests came at once: their answers are held together, so no file is among them. */
  isBatch: boolean;
}

/** A conversation as JSON with its newest messages, or a file; undefined for an address that is none of ours. */
export async function readResource({ perform, ...reader }: Reader, uri: string) {
  const idIn = (prefix: string): string | undefined => {
    const id = uri.startsWith(prefix) ? uri.slice(prefix.length) : '';
    return isUuid(id) ? id : undefined;
  };
  const chat_id = idIn(CHATS);
  if (chat_id !== undefined) {
    const [chat, history] = [await perform('getChat', { chat_id }), await perform('getChatHistory', { chat_id })];
    return { contents: [{ uri, mimeType: JSON_TYPE, text: `{"chat":${chat},"history":${history}}` }] };
  }
  const fileId = idIn(FILES);
  return fileId === undefined ? undefined : readFile(reader, uri, fileId);
}

async function readFile({ service, caller, isBatch }: Omit<Reader, 'perform'>, uri: string, id: string) {
  if (isBatch) throw new ServiceError('invalid_argument', 'files are read one at a time, not in a batch');
  const { files, read, clock } = service;
  if (caller.grant) await assertTokenMayRead({ read, clock }, caller.grant, { id, accountKey: caller.key });
  const file = await files.find(idBytes(id), caller.key);
  if (!file) return undefined;
  if (file.size > MAX_FILE)
    throw new ServiceError('too_large', `this file has ${file.size} bytes: get it at /files/${id} with the same token`);
  const source = await files.storage.read(bytesOf(idText(file.id)));
  if (!source) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece as Buffer);
  const bytes = Buffer.concat(pieces);
  const { mime_type: mimeType } = file;
  const content = mimeType.startsWith('text/')
    ? { text: bytes.toString().toWellFormed() }
    : { blob: bytes.toString('base64') };
  return { contents: [{ uri, mimeType, ...content }] };
}
