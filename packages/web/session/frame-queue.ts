import { flushSync } from 'react-dom';

/** Listeners that run together before the next frame is painted. */
export class FrameQueue {
  #waiting = new Set<() => void>();

  /** Queues a listener; queueing it twice before the frame runs it once. */
  add(listener: () => void): void {
    if (this.#waiting.size === 0) requestAnimationFrame(() => this.#run());
    this.#waiting.add(listener);
  }

  delete(listener: () => void): void {
    this.#waiting.delete(listener);
  }

  #run(): void {
    const listeners = this.#waiting;
    this.#waiting = new Set();
    // Render all their changes at once and synchronously: otherwise they would show one frame later.
    flushSync(() => {
      for (const listener of listeners)
        try {
          listener();
        } catch (error) {
          // A failing listener does not stop the others.
          reportError(error);
        }
    });
  }
}
