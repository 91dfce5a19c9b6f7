/** How a photo is placed: its scale, and the distance of its centre from the middle of the stage, in pixels. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const MOST = 8;
export const whole: Zoom = { scale: 1, x: 0, y: 0 };

/** Keeps the scale within its limits, and the photo over the middle of the stage. */
function within({ scale, x, y }: Zoom, stage: Size): Zoom {
  const kept = Math.min(MOST, Math.max(1, scale));
  const room = (length: number) => ((kept - 1) * length) / 2;
  return { scale: kept, x: between(x, room(stage.width)), y: between(y, room(stage.height)) };
}

/** Zooms by a factor; what is under `point`, measured from the middle of the stage, stays there. */
export function zoomedAt(zoom: Zoom, factor: number, point: Point, stage: Size): Zoom {
  const scale = Math.min(MOST, Math.max(1, zoom.scale * factor));
  const by = scale / zoom.scale;
  return within({ scale, x: point.x - (point.x - zoom.x) * by, y: point.y - (point.y - zoom.y) * by }, stage);
}

export const moved = (zoom: Zoom, by: Point, stage: Size): Zoom =>
  within({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, stage);

const between = (value: number, most: number): number => Math.min(most, Math.max(-most, value));
