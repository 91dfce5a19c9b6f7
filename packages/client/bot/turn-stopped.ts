/** The text of a reply that failed before it had any. */
export const FAILED_TEXT = 'Something went wrong. Please try again.';
export const STOPPED_TEXT = 'I was stopped before I could answer. Please ask me again.';

/** Why a turn's signal fired. */
export type StopCause =
  | 'asked' // by someone who may stop it
  | 'stopping' // the bot is stopping
  | 'over'; // the reply ended elsewhere, or another daemon has it

/** The signal's reason. */
export class TurnStopped extends Error {
  readonly why: StopCause;

  constructor(why: StopCause) {
    super(`the answer is no longer wanted (${why})`);
    // The same name as in errors of `fetch` and timers.
    this.name = 'AbortError';
    this.why = why;
  }
}

/** A handler that runs again does not ask what it has asked before: the answer to that must not be taken for another. */
export class QuestionChanged extends Error {
  constructor(questionId: string) {
    super(
      `the handler does not ask question ${questionId} again as it did before the bot was restarted: derive questions from the message alone, or keep what they are made of`,
    );
    this.name = 'QuestionChanged';
  }
}
