// Evaluated in a page: measures the time from each key to the frame that shows it.
const times: number[] = [];

addEventListener(
  'keydown',
  ({ timeStamp }) => {
    requestAnimationFrame(() => {
      // The message arrives after the frame's style, layout and paint.
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => times.push(performance.now() - timeStamp), { once: true });
      port1.start();
      port2.postMessage(null);
    });
  },
  { capture: true },
);

Object.assign(globalThis, { typingTimes: times });
