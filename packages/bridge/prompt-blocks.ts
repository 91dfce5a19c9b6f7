import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentCapabilities, ContentBlock } from '@agentclientprotocol/sdk';
import type { BotContext, Message } from '@parley/client/bot';

const MAX_FILES = 10;
const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
const MAX_TEXT_BYTES = 128 * 1024;
const DOWNLOAD_MS = 60_000;

type Attachment = Message['attachments'][number];

/** What the agent is prompted with: who says it (in groups), the text, and the files of the message (BRIDGE-3). */
export async function promptBlocks(
  ctx: BotContext,
  { url, folder, capabilities }: { url: string; folder: string; capabilities: AgentCapabilities },
): Promise<ContentBlock[]> {
  const { kind } = await ctx.chat;
  const { display_name, username } = ctx.from;
  // A command of the agent has to stand at the beginning.
  const saidBy = kind === 'direct' || ctx.command ? '' : `${display_name} (@${username}) says: `;
  const blocks: ContentBlock[] = [{ type: 'text', text: `${saidBy}${ctx.text}` }];
  const files = ctx.message.attachments.filter(({ url: path, id }) => path !== undefined && id !== undefined);
  for (const [at, file] of files.slice(0, MAX_FILES).entries()) {
    const block = await fileBlock(file, {
      url,
      capabilities,
      signal: ctx.signal,
      folder,
      messageId: ctx.message.id,
      at,
    });
    blocks.push(block ?? { type: 'text', text: `(The file "${file.name ?? ''}" could not be fetched.)` });
  }
  return blocks;
}

interface FileWay {
  url: string;
  folder: string;
  messageId: string;
  at: number;
  capabilities: AgentCapabilities;
  signal: AbortSignal;
}

/** Null if the file is too large, or cannot be fetched. */
async function fileBlock(file: Attachment, way: FileWay): Promise<ContentBlock | null> {
  const { capabilities, folder, messageId, at } = way;
  const bytes = await fetched(file, way).catch(() => null);
  if (!bytes) return null;
  const mimeType = file.mime_type ?? 'application/octet-stream';
  // The name is a stranger's: only its last part, without what file systems read otherwise.
  const name = basename(file.name ?? 'file')
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^\.+/, '')
    .slice(-100);
  const place = join(folder, 'parley-files', messageId);
  await mkdir(place, { recursive: true });
  const path = join(place, `${at + 1}-${name}`);
  await writeFile(path, bytes, { mode: 0o600 });
  const uri = pathToFileURL(path).href;
  const { image = false, embeddedContext = false } = capabilities.promptCapabilities ?? {};
  if (image && mimeType.startsWith('image/') && bytes.length <= MAX_IMAGE_BYTES)
    return { type: 'image', data: bytes.toString('base64'), mimeType, uri };
  if (embeddedContext && /^text\/|json$/.test(mimeType) && bytes.length <= MAX_TEXT_BYTES)
    return { type: 'resource', resource: { uri, mimeType, text: bytes.toString('utf8') } };
  return { type: 'resource_link', uri, name: file.name ?? name, mimeType, size: bytes.length };
}

async function fetched(file: Attachment, { url, signal }: FileWay): Promise<Buffer | null> {
  if ((file.size ?? 0) > MAX_FILE_BYTES) return null;
  const within = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]);
  const response = await fetch(new URL(file.url ?? '', url), { signal: within });
  if (!response.ok || !response.body) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
