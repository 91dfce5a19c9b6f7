// Evaluated in a page: how long each key takes until the frame that shows it is made.
const times: number[] = [];

addEventListener(
  'keydown',
  ({ timeStamp }) => {
    requestAnimationFrame(() => {
      // Its message comes when the frame's own work (style, layout, paint) is done.
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => times.push(performance.now() - timeStamp), { once: true });
      port1.start();
      port2.postMessage(null);
    });
  },
  { capture: true },
);

Object.assign(globalThis, { typingTimes: times });
