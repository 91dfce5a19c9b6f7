import { randomBytes } from 'node:crypto';
import { tokenHash } from '../../secrets/tokens.ts';

/** How long a program may take to exchange its code (MCPS-14). */
export const CODE_MS = 60_000;
/** How long a bearer is valid, before the program needs a new one (MCPS-15). */
export const BEARER_S = 3_600;

/** Against what the exchange of a code is checked. */
export interface CodeTerms {
  redirect_uri: string;
  code_challenge: string;
  /** Seconds until the grant ends; null for never. */
  expires_in: number | null;
}

const PREFIX = 'rt_';
const PART_LENGTH = 43;
const part = () => randomBytes(32).toString('base64url');

interface RefreshToken {
  token: string;
  hash: Uint8Array;
  familyHash: Uint8Array;
}

const refreshToken = (family: string, own: string): RefreshToken => {
  const token = PREFIX + family + own;
  return { token, hash: tokenHash(token), familyHash: tokenHash(family) };
};

/**
 * A refresh token: one part that all tokens of a grant share, and one of its own. Nobody who has not had a token of the
 * grant knows the shared part, so an old token is told from a guess although only the newest one is stored (MCPS-16).
 */
export const newRefreshToken = (family = part()): RefreshToken => refreshToken(family, part());

/** The parts of what may be a refresh token; undefined if it has not the form of one. */
export function readRefreshToken(token: string): (RefreshToken & { family: string }) | undefined {
  if (!token.startsWith(PREFIX) || token.length !== PREFIX.length + 2 * PART_LENGTH) return undefined;
  const family = token.slice(PREFIX.length, PREFIX.length + PART_LENGTH);
  return { ...refreshToken(family, token.slice(-PART_LENGTH)), family };
}
