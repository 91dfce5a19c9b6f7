import type { ContentBlock, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { ReplyPart } from '@parley/client/bot';

/** What happens in a turn of the agent, in its order. */
export type TurnEvent =
  | { type: 'text'; text: string }
  | { type: 'thought'; text: string }
  | { type: 'part'; part: ReplyPart }
  | { type: 'file'; block: Exclude<ContentBlock, { type: 'text' }> }
  | { type: 'permission'; request: RequestPermissionRequest; answer: (given: RequestPermissionResponse) => void }
  | { type: 'end'; stopReason: string }
  | { type: 'trouble'; error: Error };

/** Events that wait for their reader. Text that waits is one event, so a fast agent does not make many. */
export class EventQueue {
  readonly #events: TurnEvent[] = [];
  #wake = Promise.withResolvers<void>();

  put(event: TurnEvent): void {
    const last = this.#events.at(-1);
    if ((event.type === 'text' || event.type === 'thought') && last?.type === event.type) last.text += event.text;
    else this.#events.push(event);
    this.#wake.resolve();
  }

  async next(): Promise<TurnEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event) return event;
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
  }
}
