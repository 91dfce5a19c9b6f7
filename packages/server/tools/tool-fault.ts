/** Why a server of tools could not be used, as far as others have to tell it apart. */
export type FaultKind =
  /** The operator allows no requests to the address. */
  | 'off'
  /** 401: it wants a credential, or another one. */
  | 'login'
  /** 403: the credential is good, but was not given all that the request needs. */
  | 'scope'
  /** 404 to a request of a session: the server has forgotten it. */
  | 'forgotten'
  /** Another status than 2xx. */
  | 'status'
  /** No connection, or one that broke. */
  | 'unreachable'
  | 'timeout'
  /** The caller has stopped it. */
  | 'stopped'
  /** An answer that is none of the protocol, or too long. */
  | 'protocol'
  /** A JSON-RPC error: the server's own words. */
  | 'answered';

/** A request to a server of tools that failed. The message is for people and models, and contains no secret. */
export class ToolFault extends Error {
  readonly kind: FaultKind;
  readonly status: number | undefined;
  /** What the server said about the credential that it wants: its `WWW-Authenticate`. */
  readonly challenge: string | undefined;

  constructor(
    kind: FaultKind,
    message: string,
    { status, challenge, cause }: { status?: number; challenge?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.status = status;
    this.challenge = challenge;
  }
}
