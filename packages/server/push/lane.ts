import type { Timer } from '../core/clock.ts';
import type { QueuedMessage } from './queued-message.ts';

/** One push to one token. */
export interface Job {
  /** The token: its jobs run one after the other, in their order. */
  tokenKey: number;
  accountKey: number;
  /** The push service: a slow one keeps only a part of what may be under way. */
  service: string;
  /** Of two jobs of one conversation the later is enough, where the earlier has not come through; 0 for the badge. */
  chatKey: number;
  /** What it is about, the newest last; without any it takes back what is shown and over (PUSH-21). */
  messages: readonly QueuedMessage[];
}

export interface Waiting extends Job {
  /** How often it was in vain. */
  attempts: number;
}

export interface Lane {
  key: number;
  service: Service;
  account: Account;
  jobs: Waiting[];
  /** Its first job is under way. */
  isBusy: boolean;
  isReady: boolean;
  pause: Timer | null;
}

export interface Service {
  name: string;
  lanes: number;
  waiting: number;
  running: number;
  ready: Lane[];
  isListed: boolean;
  /** Takes nothing new until a tenth of its room is free, so that what was refused is not looked for one by one. */
  isFull: boolean;
}

export interface Account {
  key: number;
  lanes: Set<Lane>;
  waiting: number;
}

/** What waits in a lane for the same account and conversation, in its order; what is under way is not among it. */
export const waitingLike = ({ jobs, isBusy }: Lane, job: Job): Waiting[] =>
  jobs.filter(
    (other, at) =>
      other !== job && other.chatKey === job.chatKey && other.accountKey === job.accountKey && !(isBusy && at === 0),
  );

/** The lane that makes room for a newer job of its account: a token that is well has the fewest waiting. */
export const fullest = ({ lanes }: Account): Lane =>
  [...lanes].reduce((most, lane) => (lane.jobs.length > most.jobs.length ? lane : most));
