/** A value that changes over time. `get` returns the identical value until it changes. */
export interface Cell<Value> {
  readonly get: () => Value;
  /**
   * Calls the listener after each change; the returned function unsubscribes. Both functions are stable and need no
   * `this`.
   */
  readonly subscribe: (listener: () => void) => () => void;
}
