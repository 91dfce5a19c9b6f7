/** How long a finger must rest on a message to open its actions. */
const PRESS_MS = 450;
/** A finger that moves further is scrolling or swiping. */
const REST_PX = 10;
/** The way after which a swipe replies when the finger is lifted. */
const READY_PX = 56;
const MAX_PX = 72;
/** The browser's own gesture for Back begins this close to the edge of the screen. */
const EDGE_PX = 24;
/** What has a long press of its own, such as a link, or needs each press. */
const OWN_PRESS = 'a, button, input, textarea, select, summary, label, audio, video';

interface Touch {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  /** 1 if the end edge is at the right, -1 if it is at the left. */
  readonly towardsEnd: 1 | -1;
  readonly mayPress: boolean;
  readonly maySwipe: boolean;
  readonly timer: ReturnType<typeof setTimeout>;
  /** How far it was swiped; null before it is a swipe. */
  swipedPx: number | null;
}

interface TouchHandlers {
  press: () => void;
  swipe: () => void;
}

/**
 * Watches a message's row for a long press and for a swipe towards the end edge. The attribute
 * `data-swipe` and the variable `--swipe` of the row show the swipe, without rendering. Returns a function that ends this.
 */
export function watchTouches(row: HTMLElement, on: TouchHandlers): () => void {
  const stop = new AbortController();
  let touch: Touch | null = null;
  let isPressed = false;

  function end(): void {
    clearTimeout(touch?.timer);
    touch = null;
    delete row.dataset['swipe'];
    row.style.removeProperty('--swipe');
  }

  function begin({ pointerType, isPrimary, pointerId, clientX: x, clientY: y, target }: PointerEvent): void {
    end();
    isPressed = false;
    if (pointerType !== 'touch' || !isPrimary || !(target instanceof Element)) return;
    const towardsEnd = getComputedStyle(row).direction === 'rtl' ? -1 : 1;
    const fromStartPx = towardsEnd === 1 ? x : innerWidth - x;
    touch = {
      id: pointerId,
      x,
      y,
      towardsEnd,
      mayPress: target.closest(OWN_PRESS) === null,
      maySwipe: fromStartPx > EDGE_PX && !scrollsSideways(target, row),
      timer: setTimeout(() => {
        if (!touch?.mayPress || touch.swipedPx !== null) return;
        end();
        isPressed = true;
        on.press();
      }, PRESS_MS),
      swipedPx: null,
    };
  }

  function move({ pointerId, clientX, clientY }: PointerEvent): void {
    if (touch?.id !== pointerId) return;
    const [across, down] = [(clientX - touch.x) * touch.towardsEnd, clientY - touch.y];
    if (touch.swipedPx === null) {
      if (Math.hypot(across, down) <= REST_PX) return;
      // A scroll, or a movement in another direction.
      if (!touch.maySwipe || across < 2 * Math.abs(down)) return end();
      clearTimeout(touch.timer);
      row.setPointerCapture(pointerId);
    }
    touch.swipedPx = Math.max(0, Math.min(MAX_PX, across));
    row.dataset['swipe'] = touch.swipedPx >= READY_PX ? 'ready' : 'begun';
    row.style.setProperty('--swipe', `${touch.swipedPx * touch.towardsEnd}px`);
  }

  function lift({ pointerId }: PointerEvent): void {
    if (touch?.id !== pointerId) return;
    const isReady = (touch.swipedPx ?? 0) >= READY_PX;
    end();
    if (isReady) on.swipe();
  }

  const { signal } = stop;
  row.addEventListener('pointerdown', begin, { signal });
  row.addEventListener('pointermove', move, { signal });
  row.addEventListener('pointerup', lift, { signal });
  row.addEventListener('pointercancel', end, { signal });
  // Lifting the finger is not a click outside of what the press opened.
  row.addEventListener('touchend', (event) => isPressed && event.preventDefault(), { signal, passive: false });
  // Some browsers open a menu of their own on a long press.
  row.addEventListener('contextmenu', (event) => (touch?.mayPress || isPressed) && event.preventDefault(), { signal });
  return () => {
    stop.abort();
    end();
  };
}

/** Whether something between the touched element and its row scrolls sideways, such as long lines of code. */
function scrollsSideways(target: Element, row: Element): boolean {
  for (let at: Element | null = target; at && at !== row; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  return false;
}
