// Evaluated in a page that is loading: waits until the newest message is painted, then for a typed key to be painted.
const newest = (globalThis as { newestText?: string }).newestText ?? '';

const afterPaint = (then: () => void): void =>
  void requestAnimationFrame(() => {
    // The message arrives after the frame's style, layout and paint.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', then, { once: true });
    port1.start();
    port2.postMessage(null);
  });

const newestIsInSight = (): boolean => {
  const last = [...document.querySelectorAll<HTMLElement>('[data-text]')].at(-1);
  if (!last?.textContent.startsWith(newest)) return false;
  const { top, bottom } = last.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};

/** Resolves once the newest message is painted and the composer has the focus. */
const isShown = new Promise<void>((resolve) => {
  const look = (): void => {
    const field = document.querySelector('textarea');
    if (!field || !newestIsInSight()) return void requestAnimationFrame(look);
    field.focus();
    return afterPaint(resolve);
  };
  look();
});

/** Resolves to the milliseconds from the start of the navigation until a typed key is painted in the composer. */
const isTyped = new Promise<number>((resolve) => {
  addEventListener('input', () => afterPaint(() => resolve(performance.now())), { once: true });
});

Object.assign(globalThis, { isShown, isTyped });
