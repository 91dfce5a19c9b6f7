import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { moved, type Point, whole, type Zoom, zoomedAt } from './zoom.ts';

const STEP = 1.5;
const DOUBLE = 2.5;
/** How far a finger moves before it counts as a swipe. */
const SWIPE_PX = 56;

export interface Zooming {
  readonly zoom: Zoom;
  /** How far a finger has dragged an unzoomed photo to the side. */
  readonly dragged: number;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly reset: () => void;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerCancel: (event: PointerEvent<HTMLElement>) => void;
    readonly onDoubleClick: (event: { clientX: number; clientY: number }) => void;
  };
}

/** Zooms and moves what is on the stage by wheel, pinch, double click and drag; a swipe leads to the next photo. */
export function useZoom(stage: HTMLElement | null, onSwipe: (by: -1 | 1) => void): Zooming {
  const [zoom, setZoom] = useState(whole);
  const [dragged, setDragged] = useState(0);
  const pointers = useRef(new Map<number, Point>());
  const start = useRef<Point | null>(null);

  const box = () => stage?.getBoundingClientRect() ?? new DOMRect();
  const fromMiddle = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top, width, height } = box();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };
  const by = (factor: number, point: Point = { x: 0, y: 0 }) => setZoom((now) => zoomedAt(now, factor, point, box()));
  const reset = () => setZoom(whole);

  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    by(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), fromMiddle(event));
  });
  useEffect(() => {
    // React listens passively, and then the browser would zoom the page.
    const listen = (event: WheelEvent) => onWheel(event);
    stage?.addEventListener('wheel', listen, { passive: false });
    return () => stage?.removeEventListener('wheel', listen);
  }, [stage]);

  function move(event: PointerEvent<HTMLElement>) {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = fromMiddle(event);
    const [other] = [...pointers.current].flatMap(([id, point]) => (id === event.pointerId ? [] : point));
    pointers.current.set(event.pointerId, now);
    if (other) {
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      const factor = distance(now, other) / Math.max(1, distance(before, other));
      const shift = { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 };
      start.current = null;
      setDragged(0);
      setZoom((zoomed) => moved(zoomedAt(zoomed, factor, middle, box()), shift, box()));
    } else if (zoom.scale > 1) setZoom((zoomed) => moved(zoomed, { x: now.x - before.x, y: now.y - before.y }, box()));
    else if (start.current && event.pointerType !== 'mouse') setDragged(now.x - start.current.x);
  }

  function up(event: PointerEvent<HTMLElement>) {
    pointers.current.delete(event.pointerId);
    if (Math.abs(dragged) > SWIPE_PX && event.type === 'pointerup') onSwipe(dragged < 0 ? 1 : -1);
    setDragged(0);
    start.current = null;
  }

  return {
    zoom,
    dragged,
    zoomIn: () => by(STEP),
    zoomOut: () => by(1 / STEP),
    reset,
    handlers: {
      onPointerDown(event) {
        const point = fromMiddle(event);
        start.current = pointers.current.size === 0 ? point : null;
        pointers.current.set(event.pointerId, point);
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove: move,
      onPointerUp: up,
      onPointerCancel: up,
      onDoubleClick: (event) => (zoom.scale > 1 ? reset() : by(DOUBLE, fromMiddle(event))),
    },
  };
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);
