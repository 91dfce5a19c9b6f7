// The SDK: a typed client of the operations, derived from the protocol's declarations. It runs in browsers and
// in Node and loads no dependency: of the protocol it takes the types alone.
export { type Api, ApiError, type ApiOptions, type CallOptions, createApi } from './api.ts';
