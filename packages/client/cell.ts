/** A value that changes over time. What `get` answers keeps its identity until it changes. */
export interface Cell<Value> {
  readonly get: () => Value;
  /** Told of each change, after it; the answer ends it. Both functions keep their identity and need no `this`. */
  readonly subscribe: (listener: () => void) => () => void;
}
