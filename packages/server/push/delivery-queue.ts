import type { Timer } from '../core/clock.ts';
import type { QueuedMessage } from './queued-message.ts';

/** One push to one token. */
export interface Job {
  /** The token: its jobs run one after the other, in order. */
  tokenKey: number;
  accountKey: number;
  /** The push service. The jobs of one service use only a part of all slots. */
  service: string;
  /** The conversation, or 0 for the badge. A newer job of the conversation replaces one that is not delivered. */
  chatKey: number;
  /** The messages to push, newest last. If empty, the job takes back a notification that is obsolete (PUSH-21). */
  messages: readonly QueuedMessage[];
}

export interface Waiting extends Job {
  /** Number of failed attempts. */
  attempts: number;
}

export interface DeliveryQueue {
  key: number;
  service: Service;
  account: Account;
  jobs: Waiting[];
  /** True while the queue's first job is running. */
  isBusy: boolean;
  isReady: boolean;
  pause: Timer | null;
}

export interface Service {
  name: string;
  queues: number;
  waiting: number;
  running: number;
  ready: DeliveryQueue[];
  isListed: boolean;
  /** Refuses new jobs until a tenth of its room is free, so that refused recipients are looked up in batches. */
  isFull: boolean;
}

export interface Account {
  key: number;
  queues: Set<DeliveryQueue>;
  waiting: number;
}

/** The jobs that wait in a queue for the same account and conversation, in order; a running job is not included. */
export const waitingLike = ({ jobs, isBusy }: DeliveryQueue, job: Job): Waiting[] =>
  jobs.filter(
    (other, at) =>
      other !== job && other.chatKey === job.chatKey && other.accountKey === job.accountKey && !(isBusy && at === 0),
  );

/** The account's queue with the most jobs, which makes room for a newer one: the queue of a working token has few. */
export const fullest = ({ queues }: Account): DeliveryQueue =>
  [...queues].reduce((most, queue) => (queue.jobs.length > most.jobs.length ? queue : most));
