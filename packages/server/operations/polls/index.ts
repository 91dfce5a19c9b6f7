// Polls: votes, their end, who voted for what. A poll is made with sendMessage.
import closePoll from './closePoll.ts';
import getPollVoters from './getPollVoters.ts';
import getPollVotes from './getPollVotes.ts';
import votePoll from './votePoll.ts';

export const pollHandlers = { closePoll, getPollVoters, getPollVotes, votePoll };
