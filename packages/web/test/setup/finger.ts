import type { CDPSession, Locator } from 'playwright-core';

export interface Finger {
  down: (place: Locator) => Promise<void>;
  /** Moves in small steps, from where it is. */
  move: (x: number, y?: number) => Promise<void>;
  up: () => Promise<void>;
}

/** One finger on the screen, as the browser reports it. */
export function fingerOf(session: CDPSession): Finger {
  let at = { x: 0, y: 0 };
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd') =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [at] });
  return {
    async down(place) {
      const box = await place.boundingBox();
      if (!box) throw new Error('the place is not visible');
      at = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 };
      await touch('touchStart');
    },
    async move(x, y = 0) {
      for (let step = 0; step < 10; step += 1) {
        at = { x: at.x + x / 10, y: at.y + y / 10 };
        await touch('touchMove');
      }
    },
    up: async () => touch('touchEnd').then(() => undefined),
  };
}
