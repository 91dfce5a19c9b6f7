import { useSyncExternalStore } from 'react';
import type { Overlays } from './overlays.ts';
import { usePage } from './page.ts';
import { hrefOf, parseRoute, type Route } from './route.ts';

export type Navigate = (route: Route, options?: { replace?: boolean }) => void;

/** Is asked before another page opens; calls `go` to let it open. */
type Guard = (go: () => void) => void;

/** The current route, as the address bar shows it. */
export class Navigation {
  readonly #overlays: Overlays;
  readonly #listeners = new Set<() => void>();
  #guard: Guard | null = null;
  #current: { href: string; route: Route } | undefined;

  constructor(overlays: Overlays) {
    this.#overlays = overlays;
  }

  /** Returns the same object until the address changes. */
  readonly get = (): Route => {
    const href = location.pathname + location.search;
    if (this.#current?.href !== href) this.#current = { href, route: parseRoute(location.pathname, location.search) };
    return this.#current.route;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    addEventListener('popstate', listener);
    return () => {
      this.#listeners.delete(listener);
      removeEventListener('popstate', listener);
    };
  };

  /** The address of a route, to share; null if the page has none. */
  readonly addressOf = (route: Route): string | null => location.origin + hrefOf(route);

  /** Opens a route. With `replace` it replaces the current history entry. */
  readonly navigate: Navigate = (route, { replace = false } = {}) => {
    const href = hrefOf(route);
    const isElsewhere = href !== location.pathname + location.search;
    if (this.#guard && isElsewhere) this.#guard(() => this.#open(href, replace));
    else this.#open(href, replace);
  };

  /** Has `guard` asked before another page opens. Returns a function that ends this. */
  readonly watchLeaving = (guard: Guard): (() => void) => {
    this.#guard = guard;
    return () => {
      if (this.#guard === guard) this.#guard = null;
    };
  };

  #open(href: string, replace: boolean): void {
    this.#overlays.leaveAll(() => {
      if (href === location.pathname + location.search) return;
      if (replace) history.replaceState(null, '', href);
      else history.pushState(null, '', href);
      for (const listener of this.#listeners) listener();
    });
  }
}

export const useRoute = (): Route => {
  const { navigation } = usePage();
  return useSyncExternalStore(navigation.subscribe, navigation.get);
};

/** The returned function never changes. */
export const useNavigate = (): Navigate => usePage().navigation.navigate;
