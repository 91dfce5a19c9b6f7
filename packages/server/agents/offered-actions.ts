import type { TextReader } from '../readers/text-reader.ts';
import { type MessageRow, recordOf } from '../store/messages.ts';

/** Maximum number of messages whose actions are remembered. */
const MAX_MESSAGES = 32;

/** The actions that messages offer (ACTION-10): a text is read once, however often its buttons are pressed. */
export class OfferedActions {
  readonly #reader: Pick<TextReader, 'read'>;
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(reader: Pick<TextReader, 'read'>) {
    this.#reader = reader;
  }

  /** Owners of pressers take turns: one whose presses are many does not delay the others. */
  of(message: MessageRow, ownerKey: number): Promise<ReadonlySet<string>> {
    const { content, content_revision: revision } = recordOf(message);
    const id = `${message.key} ${revision}`;
    const actions = this.#known.get(id) ?? this.#read(id, content, ownerKey);
    // Insert it again as the newest, so that the least recently used entry is dropped first.
    this.#known.delete(id);
    this.#known.set(id, actions);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_MESSAGES && oldest !== undefined) this.#known.delete(oldest);
    return actions;
  }

  async #read(id: string, content: string, ownerKey: number): Promise<ReadonlySet<string>> {
    try {
      return new Set((await this.#reader.read(content, ownerKey)).actions);
    } catch (error) {
      // The next press reads it again.
      this.#known.delete(id);
      throw error;
    }
  }
}
