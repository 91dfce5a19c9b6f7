import { offeredActions } from '../rules/component-actions.ts';
import { type MessageRow, recordOf } from '../store/messages.ts';

/** Maximum number of messages whose actions are remembered. */
const MAX_MESSAGES = 32;

/** The actions that messages offer (ACTION-10): a text is parsed once, however often its buttons are pressed. */
export class OfferedActions {
  readonly #known = new Map<string, ReadonlySet<string>>();

  of(message: MessageRow): ReadonlySet<string> {
    const { content, content_revision: revision } = recordOf(message);
    const id = `${message.key} ${revision}`;
    const actions = this.#known.get(id) ?? new Set(offeredActions(content));
    // Insert it again as the newest, so that the least recently used entry is dropped first.
    this.#known.delete(id);
    this.#known.set(id, actions);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_MESSAGES && oldest !== undefined) this.#known.delete(oldest);
    return actions;
  }
}
