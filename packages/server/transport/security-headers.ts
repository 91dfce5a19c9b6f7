import type { Config } from '../service/config.ts';

export type SecurityHeaders = Readonly<Record<string, string>>;

const YEAR_S = 31_536_000;

/** Headers of every response, including those Node or ws writes (TRANS-16). A route may add stricter ones. */
export const securityHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): SecurityHeaders => ({
  'x-content-type-options': 'nosniff',
  ...(publicUrl?.protocol === 'https:' && { 'strict-transport-security': `max-age=${YEAR_S}` }),
});
