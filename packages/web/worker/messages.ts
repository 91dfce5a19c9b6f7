/** What a page tells the worker. */
export type PageMessage =
  /** With what the worker tells the service of a new subscription, while no page is open. */
  { kind: 'signed-in'; url: string; token: string } | { kind: 'signed-out' };

/** What the worker tells a page: go there; or, with a port for the answer, where are you? */
export type WorkerMessage = { kind: 'open'; chatId: string } | { kind: 'where' };

/** The answer to `where`: the conversation that is open, or null. */
export interface Whereabouts {
  chatId: string | null;
}
