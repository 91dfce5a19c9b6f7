import { useCallback, useState } from 'react';
import { type Loaded, useLoaded } from './use-loaded.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor?: string | undefined;
}

/** A list of the service that is loaded page by page. */
export interface Pages<Of extends Page<unknown>> {
  readonly loaded: Loaded<Of & { readonly of: unknown }>;
  /** Adds the next page, if there is one. Rejects if that fails. */
  readonly more: () => Promise<void>;
  readonly isBusy: boolean;
}

/** Calls `fetch` for the first page, and again whenever it is another function: pass a stable one. */
export function usePages<Of extends Page<unknown>>(
  fetch: (cursor: string | undefined, signal?: AbortSignal) => Promise<Of>,
): Pages<Of> {
  const load = useCallback(
    async (signal: AbortSignal) => ({ ...(await fetch(undefined, signal)), of: fetch }),
    [fetch],
  );
  const loaded = useLoaded<Of & { readonly of: unknown }>(load);
  const { value, change } = loaded;
  const [isBusy, setIsBusy] = useState(false);

  async function more(): Promise<void> {
    if (!value || value.of !== fetch || value.next_cursor === undefined || isBusy) return;
    setIsBusy(true);
    try {
      const next = await fetch(value.next_cursor);
      // Another list may be wanted meanwhile.
      change((before) =>
        before.of === fetch && before.next_cursor === value.next_cursor
          ? // The last page has no cursor, and must not keep that of the one before.
            { ...before, next_cursor: undefined, ...next, items: [...before.items, ...next.items] }
          : before,
      );
    } finally {
      setIsBusy(false);
    }
  }
  return { loaded, more, isBusy };
}
