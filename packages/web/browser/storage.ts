type SimpleStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Remembers nothing beyond the page. */
function memoryStorage(): SimpleStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

function choose(): SimpleStorage {
  // In tests without a browser.
  if (typeof document === 'undefined') return memoryStorage();
  // In a frame on a page of another site, browsers may refuse the storage by throwing here.
  try {
    return localStorage;
  } catch {
    return memoryStorage();
  }
}

/** For what a browser remembers of a person's choices: the language, recent emoji, the theme. */
export const storage = choose();
