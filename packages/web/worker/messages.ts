/** A message from a page to the worker. */
export type PageMessage =
  /** The credentials for registering a new subscription while no page is open, and the language of the app. */
  { kind: 'signed-in'; url: string; token: string; locale: string } | { kind: 'signed-out' };

/** A message from the worker to a page: open a conversation, or report the open one through the port. */
export type WorkerMessage = { kind: 'open'; chatId: string } | { kind: 'where' };

/** The answer to `where`: the open conversation, or null. */
export interface Whereabouts {
  chatId: string | null;
}
