import manifest from '../package.json' with { type: 'json' };

/** What every outgoing request says of its sender (OPS-8): many firewalls refuse requests that say nothing. */
export const USER_AGENT = `Parley/${manifest.version}`;
