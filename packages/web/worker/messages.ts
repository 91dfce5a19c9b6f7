/** A new message, as its notification shows it. */
export interface News {
  title: string;
  body: string;
  chatId: string;
  messageId: string;
  position: number;
  /** The path of the group's picture. */
  icon: string | null;
}

/** A message from a page to the worker. */
export type PageMessage =
  /** A page that nobody looks at has received a message, and no push service tells of it (WEB-671). */
  | { kind: 'news'; news: News }
  /** The credentials for registering a new subscription while no page is open, and the language of the app. */
  | { kind: 'signed-in'; url: string; token: string; locale: string }
  | { kind: 'signed-out' };

/** A message from the worker to a page: open a conversation, or report the open one through the port. */
export type WorkerMessage = { kind: 'open'; chatId: string } | { kind: 'where' };

/** The answer to `where`: the open conversation, or null; and whether somebody looks at the page. */
export interface Whereabouts {
  chatId: string | null;
  isSeen: boolean;
}
