import type { Fetch } from './guarded-fetch.ts';
import { USER_AGENT } from './user-agent.ts';

/** Requests to the addresses of the operator's own configuration, which need no guard. */
export const operatorFetch: Fetch = (url, request) =>
  fetch(url, { ...request, headers: { ...request.headers, 'user-agent': USER_AGENT } });
