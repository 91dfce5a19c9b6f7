// Frame times of a page, from the beginnings of frames that frame-probe.ts recorded.

/** The time between two frames of a display with 60 frames a second. */
const FRAME_MS = 1_000 / 60;

/** How evenly a page drew its frames. */
export interface FrameFigures {
  /** 95th percentile of the time from a frame to the next, in ms; 16.7 and some jitter if none is missed. */
  p95Ms: number;
  /** Shares (0 to 1) of frames before which at least one frame, or two, were missed: over 16.7 ms, over 33.4 ms. */
  over16: number;
  over33: number;
  frames: number;
}

/** Beginnings of frames in ms. A frame begins with less than half a frame of jitter, so more is a missed one. */
export function frameFigures(times: readonly number[]): FrameFigures {
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const shareOver = (ms: number): number => gaps.filter((gap) => gap > ms + FRAME_MS / 2).length / gaps.length;
  return {
    p95Ms: gaps.toSorted((a, b) => a - b)[Math.ceil(gaps.length * 0.95) - 1] ?? Number.NaN,
    over16: shareOver(FRAME_MS),
    over33: shareOver(2 * FRAME_MS),
    frames: gaps.length,
  };
}
