const MOST = 32;

/** A username that a name suggests: "Zoë Müller" is "zoe_muller". Empty if the name has no Latin letters or digits. */
export const usernameFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, MOST)
    .replaceAll(/^_+|_+$/g, '');
