import { useEffect, useEffectEvent } from 'react';
import { usePage } from './page.ts';
import { useMedia } from './use-media.ts';

/** Where people go back with a button or a gesture of the system; also a narrow window, which overlays cover. */
const PHONE = '(max-width: 640px), (pointer: coarse)';

/** How long to wait for popstate after going back: browsers may drop the step without an event. */
const STEP_MS = 1_000;

interface Overlay {
  readonly close: () => void;
}

/**
 * The overlays that are open on a phone, topmost last; also a page with changes to lose (use-leave-guard.ts). Each has
 * its own history entry above that of the route, with the same address; the entry's state holds the number of open
 * overlays. So Back closes the topmost one.
 */
export class Overlays {
  readonly #open: Overlay[] = [];
  /** True while history.go is under way: until popstate the current entry is not known. */
  #isLeaving = false;
  /** Runs once no overlay entry is left above the route; a later call replaces an earlier one. */
  #next: (() => void) | null = null;
  #isSettling = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts listening to the page's history; the page keeps one instance for as long as it lives. */
  constructor() {
    addEventListener('popstate', () => this.#onPopState());
    // A page restored from the back/forward cache in the middle of a step gets no popstate for it.
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted && this.#isLeaving) this.#onPopState();
    });
    // The page may have been reloaded while overlays were open: drop their entries.
    this.#leave(entries());
  }

  add(overlay: Overlay): void {
    this.#open.push(overlay);
    this.#settleSoon();
  }

  remove(overlay: Overlay): void {
    const at = this.#open.indexOf(overlay);
    if (at !== -1) this.#open.splice(at, 1);
    this.#settleSoon();
  }

  /** Runs `go` at the route's own history entry, after closing the overlays above it. */
  leaveAll(go: () => void): void {
    if (!this.#isLeaving && entries() === 0) return go();
    this.#next = go;
    if (!this.#isLeaving) this.#leave(entries());
    return undefined;
  }

  /** Adds or drops history entries until there is one per open overlay. */
  #settle(): void {
    this.#isSettling = false;
    if (this.#isLeaving) return;
    for (let at = entries(); at < this.#open.length; at += 1) history.pushState({ overlays: at + 1 }, '');
    this.#leave(entries() - this.#open.length);
  }

  /** Deferred, so that an overlay that opens as another closes takes over its entry. */
  #settleSoon(): void {
    if (this.#isSettling) return;
    this.#isSettling = true;
    queueMicrotask(() => this.#settle());
  }

  #leave(steps: number): void {
    if (steps <= 0) return;
    this.#isLeaving = true;
    this.#timer = setTimeout(() => this.#arrive(), STEP_MS);
    history.go(-steps);
  }

  #arrive(): void {
    clearTimeout(this.#timer);
    this.#isLeaving = false;
    const go = this.#next;
    this.#next = null;
    go?.();
  }

  #onPopState(): void {
    if (this.#isLeaving) this.#arrive();
    else while (this.#open.length > entries()) this.#open.pop()?.close();
    // Forward can reach the entry of an overlay that is closed by now: skip it.
    this.#settle();
  }
}

/** The number of overlay entries up to the current one. */
function entries(): number {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'overlays' in state ? Number(state.overlays) : 0;
}

/** On a phone or another touch screen, Back closes the open overlay instead of leaving the route (WEB-15). */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const { overlays } = usePage();
  const isCovering = useMedia(PHONE) && isOpen;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isCovering) return undefined;
    const overlay: Overlay = { close: () => close() };
    overlays.add(overlay);
    return () => overlays.remove(overlay);
  }, [overlays, isCovering]);
}
