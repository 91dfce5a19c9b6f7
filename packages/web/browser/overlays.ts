import { useEffect, useEffectEvent } from 'react';
import { useMedia } from './use-media.ts';

/** One of them covers a phone. The same width as in the styles. */
const PHONE = '(max-width: 640px)';

interface Overlay {
  readonly close: () => void;
}

/**
 * What lies open over a place on a phone, the uppermost last. Each has an entry of its own in the history, above that
 * of the place and with its address, which tells how many lie open: so Back closes the uppermost.
 */
const shown: Overlay[] = [];
/** Entries are being gone back from: what is in the history is known when that is done. */
let isLeaving = false;
/** What to do at the place itself, once nothing lies above it. */
let next: (() => void) | null = null;
let isSettling = false;
/** A browser may drop a step back, and tells nobody: whoever waits for it does not wait for ever. */
const STEP_MS = 1_000;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** How many entries of overlays there are, up to here. */
function entries(): number {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'overlays' in state ? Number(state.overlays) : 0;
}

/** Makes the entries as many as lie open. */
function settle(): void {
  isSettling = false;
  if (isLeaving) return;
  for (let at = entries(); at < shown.length; at += 1) history.pushState({ overlays: at + 1 }, '');
  leave(entries() - shown.length);
}

/** Later: one that closes as another opens leaves its entry to it. */
function settleSoon(): void {
  if (isSettling) return;
  isSettling = true;
  queueMicrotask(settle);
}

function leave(steps: number): void {
  if (steps <= 0) return;
  isLeaving = true;
  waiting = setTimeout(arrive, STEP_MS);
  history.go(-steps);
}

/** What waited for the place goes on, wherever one has come to. */
function arrive(): void {
  clearTimeout(waiting);
  isLeaving = false;
  const go = next;
  next = null;
  go?.();
}

function onPopState(): void {
  if (isLeaving) arrive();
  else while (shown.length > entries()) shown.pop()?.close();
  // Forward, or from a later place, one may come to the entry of what is closed by now: it is passed over.
  settle();
}

addEventListener('popstate', onPopState);
// A page that was left on the way back, and is come back to, hears nothing of where it has arrived.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && isLeaving) onPopState();
});
// The page was loaded anew while something lay open.
leave(entries());

/** Goes on from the place itself, without what lies open over it. */
export function fromPlace(go: () => void): void {
  if (!isLeaving && entries() === 0) return go();
  // The last word counts.
  next = go;
  if (!isLeaving) leave(entries());
  return undefined;
}

/** While something covers a phone's screen Back closes it, and leads nowhere else (WEB-15). */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const isCovering = useMedia(PHONE) && isOpen;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isCovering) return undefined;
    const overlay: Overlay = { close: () => close() };
    shown.push(overlay);
    settleSoon();
    return () => {
      const at = shown.indexOf(overlay);
      if (at !== -1) shown.splice(at, 1);
      settleSoon();
    };
  }, [isCovering]);
}
