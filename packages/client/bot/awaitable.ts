export type Awaitable<Value> = Value | PromiseLike<Value>;
