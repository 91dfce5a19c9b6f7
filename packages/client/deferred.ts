/** A promise that its owner settles. `Promise.withResolvers`, which does the same, is newer than Node 20. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value | PromiseLike<Value>) => void;
  readonly reject: (reason: unknown) => void;
}

export function deferred<Value>(): Deferred<Value> {
  let settle: Omit<Deferred<Value>, 'promise'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => (settle = { resolve, reject }));
  // The constructor has called its function.
  return { promise, ...(settle as Omit<Deferred<Value>, 'promise'>) };
}
