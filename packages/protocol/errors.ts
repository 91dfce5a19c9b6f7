/** Every error code of the wire, with its HTTP status. The same codes travel on both transports (ERR-1). */
export const errorStatus = {
  invalid_argument: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

// Keys of a constant.
export const errorCodes = Object.keys(errorStatus) as ErrorCode[];

/** Machine-readable details of an error, e.g. `field`, `offset` (bytes), `retry_after` (seconds), `decision` (a Decision). */
export type ErrorParameters = Readonly<Record<string, string | number | object>>;

export interface HttpErrorBody {
  ok: false;
  error_code: ErrorCode;
  description: string;
  parameters?: ErrorParameters;
}

export interface SocketErrorBody {
  ok: false;
  error: { code: ErrorCode; message: string; parameters?: ErrorParameters };
}
