/** What a reply says that failed before it had any text. */
export const FAILED_TEXT = 'Something went wrong here. Please try again.';
export const STOPPED_TEXT = 'I was stopped before I could answer. Please ask me again.';

/** Why a turn's signal has fired. */
export type StopCause =
  | 'asked' // by whoever may
  | 'stopping' // the bot ends
  | 'over'; // the reply has ended elsewhere, or is another daemon's

/** The reason of the signal. */
export class TurnStopped extends Error {
  readonly why: StopCause;

  constructor(why: StopCause) {
    super(`the answer is not wanted any more (${why})`);
    // As those of `fetch` and of timers.
    this.name = 'AbortError';
    this.why = why;
  }
}
