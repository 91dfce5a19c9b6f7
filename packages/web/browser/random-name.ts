/** A name that nothing else has. Not `randomUUID`, which pages without https lack. */
export const randomName = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
