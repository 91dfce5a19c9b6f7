import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { AnswerOptions, Bot } from '@parley/client/bot';

const MAX_FILES = 10;
const MAX_BYTES = 8 * 1024 * 1024;

/** The files that an agent sends with one answer, as uploads (BRIDGE-3). */
export class SentFiles {
  readonly #to: { bot: Bot; log: (line: string) => void };
  readonly #uploads: Promise<string | null>[] = [];
  #ids: string[] = [];

  constructor(to: { bot: Bot; log: (line: string) => void }) {
    this.#to = to;
  }

  /** A text that stands for the block, if it is no file; otherwise the file goes with the answer. */
  take(block: ContentBlock): string {
    if (block.type === 'resource_link') return `\n${block.name}: ${block.uri}\n`;
    if (this.#uploads.length >= MAX_FILES) return '\n(More files than a message can have were left out.)\n';
    const file = fileOf(block);
    if (!file || file.size > MAX_BYTES) return '\n(A file was left out: it is too large, or cannot be sent.)\n';
    this.#uploads.push(this.#send(file));
    return '';
  }

  async sent(): Promise<void> {
    this.#ids = (await Promise.all(this.#uploads)).filter((id) => id !== null);
  }

  /** As the answer's attachments, once they are sent. */
  get attachments(): NonNullable<AnswerOptions['attachments']> {
    // The type has all fields that are filled in; the id is enough.
    return this.#ids.map((id) => ({ id })) as NonNullable<AnswerOptions['attachments']>;
  }

  async #send(file: File): Promise<string | null> {
    const { bot, log } = this.#to;
    try {
      return (await bot.client.api.uploadFile({ file })).id;
    } catch (error) {
      log(`a file of the agent was not sent: ${String(error)}`);
      return null;
    }
  }
}

function fileOf(block: ContentBlock): File | null {
  if (block.type === 'image' || block.type === 'audio') {
    const name = `${block.type}.${/^\w+\/(\w+)/.exec(block.mimeType)?.[1] ?? 'bin'}`;
    return new File([Buffer.from(block.data, 'base64')], name, { type: block.mimeType });
  }
  if (block.type !== 'resource') return null;
  const { resource } = block;
  const name = resource.uri.split(/[/\\]/).at(-1)?.slice(-100) || 'file';
  const content = 'text' in resource ? resource.text : Buffer.from(resource.blob, 'base64');
  return new File([content], name, { type: resource.mimeType ?? '' });
}
