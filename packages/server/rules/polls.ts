import type { Poll, PollInput } from '@parley/protocol';

/** The text of a poll's message, for clients that do not show polls, and for models. */
export const pollText = ({ question, options }: Pick<PollInput, 'question' | 'options'>): string =>
  `${question}\n\n${options.map((option, at) => `${at + 1}. ${option}`).join('\n')}`;

/** A vote as a number: bit 2^n is the option with the index n. */
export const votesFor = (options: readonly number[]): number =>
  options.reduce((bits, option) => bits | (1 << option), 0);

/** The indexes of the options that a vote names. */
export function optionsOf(vote: number): number[] {
  const options: number[] = [];
  for (let at = 0; vote >> at > 0; at += 1) if ((vote >> at) & 1) options.push(at);
  return options;
}

/** The poll with the results of these votes; `count` accounts have cast the same vote. */
export function withResults(poll: Poll, votes: readonly { options: number; count: number }[]): Poll {
  const votesOf = (at: number) => votes.reduce((sum, { options, count }) => sum + ((options >> at) & 1) * count, 0);
  return {
    ...poll,
    options: poll.options.map(({ text }, at) => ({ text, votes: votesOf(at) })),
    voter_count: votes.reduce((sum, { count }) => sum + count, 0),
  };
}

export const isClosed = ({ closes_at, closed_at }: Poll, now: number): boolean =>
  closed_at !== undefined || (closes_at !== undefined && Date.parse(closes_at) <= now);
