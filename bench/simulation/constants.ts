// bench/simulation/: a model of clusters of up to 1,000 nodes, as discrete events. What each step costs was measured;
// where several nodes share one machine they cannot be measured, so the model adds up.

/** What one step costs. Times are in µs. */
export interface Costs {
  /** Processor time of a node for a message that one of its people sends: request, unit, statements, answer. */
  sendNode: number;
  /** Processor time of PostgreSQL for a message. */
  sendPostgres: number;
  /** Time from a batch's first statement to its last one, which needs the row of the log. */
  beforeRow: number;
  /** How long a batch holds the row of the log while its commit is flushed. */
  rowDurable: number;
  /** The same for a batch of transient events, whose commit is not flushed. */
  rowTransient: number;
  /** The time that each further event adds to both. */
  rowEvent: number;
  /** Processor time of Redis for a publication, before anybody gets it. */
  publish: number;
  /** Processor time of Redis for a delivery to one node, and for each 1,000 bytes of it. */
  deliver: number;
  deliverKilobyte: number;
  /** Processor time of a node for a message that it hears from Redis, of any size, and for each 1,000 bytes of it. */
  hear: number;
  hearKilobyte: number;
  /** Processor time of a node for one event that it has heard: decoding, order, who may see it. */
  apply: number;
  /** Processor time of a node to see that a scope of a line concerns none of its sockets. */
  lookUp: number;
  /** Processor time of a node for a frame to one socket. */
  frame: number;
  /** Processor time of Redis for a subscription. */
  subscribe: number;
}

/** Measured on two cores with Node 26, Redis 7.0 and PostgreSQL; docs/decisions/0014 says from what each was taken. */
export const measured: Readonly<Costs> = {
  sendNode: 290,
  sendPostgres: 88,
  beforeRow: 2_500,
  rowDurable: 1_300,
  rowTransient: 190,
  rowEvent: 12,
  publish: 0.7,
  deliver: 0.2,
  deliverKilobyte: 0.95,
  hear: 5.2,
  hearKilobyte: 0.13,
  apply: 1.8,
  lookUp: 0.15,
  frame: 3,
  subscribe: 2.1,
};

/** Bytes on the wire between nodes. */
export const bytes = { message: 1_500, transient: 350, lineHead: 60, lineScope: 12, subscription: 183 };

/** What people do. */
export interface Workload {
  sockets: number;
  /** Messages that a socket's person sends in an hour. */
  messagesPerHour: number;
  /** Members of a conversation that have a socket. */
  members: number;
  /** Conversations of an account. */
  conversations: number;
  /** Typing events for each message. */
  typing: number;
  /** The share of messages that an agent answers, and the deltas of an answer. */
  answered: number;
  deltas: number;
  /** How often each socket connects in an hour. */
  connectsPerHour: number;
  /** The share of a conversation's members that are on one node because the balancer puts them there. */
  together: number;
}

export const usual: Readonly<Workload> = {
  sockets: 100_000,
  messagesPerHour: 6,
  members: 5,
  conversations: 20,
  typing: 2,
  answered: 0.1,
  deltas: 100,
  connectsPerHour: 1,
  together: 0,
};
