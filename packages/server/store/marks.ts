// The marks of messages: what their records do not contain.

/** Bits of the column `marks`: properties of a message that its record does not contain. */
export const mark = {
  reactions: 1,
  thread: 2,
  service: 4,
  forwarded: 8,
  /** The message is one of several versions of a reply. */
  versions: 16,
  /** It is a version that is not current. */
  replaced: 32,
  poll: 64,
  /** What getChatMedia lists it under; the indexes of migration 0035 use these values. */
  media: 128,
  files: 256,
  links: 512,
  decision: 1024,
  /** The message exists for some accounts only: `decision_people` names them (DECIDE-9). */
  private: 2048,
  /** No model receives the message (DECIDE-12). */
  unheard: 4096,
} as const;
/** SQL: the message is not a service notice. */
export const isNoNotice = (m: string): string => `(${m}.marks & ${mark.service}) = 0`;
/** SQL: the message exists for everybody who takes part. */
export const isPublic = (m: string): string => `(${m}.marks & ${mark.private}) = 0`;
/** SQL: models may receive the message. */
export const isHeard = (m: string): string => `(${m}.marks & ${mark.unheard}) = 0`;
