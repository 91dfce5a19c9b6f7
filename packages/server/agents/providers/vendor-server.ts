import { EndpointRefused } from '../../outbound/endpoint-guard.ts';
import type { Fetch } from '../../outbound/guarded-fetch.ts';
import { operatorFetch } from '../../outbound/operator-fetch.ts';
import type { SlimEvent } from '../../rules/picture-events.ts';
import type { ProviderRequest } from './provider.ts';

export interface VendorOptions {
  /** The provider's address, which the operator may have replaced. */
  baseUrl?: string;
  /** Reaches the servers that people name; without it none of them is asked. */
  guarded?: Fetch;
  /** See `VendorCall`. */
  readLarge?: (data: string) => Promise<SlimEvent | 'none' | null>;
}

/** Where a request goes, and how. */
export interface VendorServer {
  base: string;
  fetch: Fetch;
  /** A server of the agent's own, which may need no key. */
  isOwn: boolean;
}

const refused: Fetch = async () => {
  throw new EndpointRefused('must have an address that the operator allows');
};

/** A server that a person named is asked through the guard alone; the operator's needs none (CUSTOM-8). */
export function serverOf(
  { baseUrl }: Pick<ProviderRequest, 'baseUrl'>,
  options: VendorOptions,
  vendor: string,
): VendorServer {
  const isOwn = baseUrl !== undefined;
  const base = (baseUrl ?? options.baseUrl ?? vendor).replace(/(?<!\/)\/+$/, '');
  return { base, fetch: isOwn ? (options.guarded ?? refused) : operatorFetch, isOwn };
}
