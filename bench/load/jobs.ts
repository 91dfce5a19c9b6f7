import type { Tally } from './raw-socket.ts';
import type { Growing } from './request-frames.ts';

/** Opens a named group of sockets in the generator; other jobs refer to groups by name. */
export interface ConnectJob {
  group: string;
  /** `http://host:port` of the server. */
  url: string;
  /** Path and query of each socket. */
  paths: string[];
  peekBytes?: number;
  reading?: boolean;
  /** Opens all at the same time, as after an outage; otherwise 200 at a time. */
  atOnce?: boolean;
}

/** What one socket sends repeatedly. */
export type Sending =
  | { socket: number; conversationId: string; content: string }
  | { socket: number; streams: string[]; delta: string };

/** Milliseconds. */
export interface Times {
  mean: number | undefined;
  p50: number | undefined;
  p99: number | undefined;
}

/** Closed loop: each sender keeps `inFlight` requests unanswered. */
export interface FloodJob {
  group: string;
  /** With `delivery` all messages that reach a sender count as its own. */
  acknowledgedBy?: Acknowledgement;
  senders: Sending[];
  inFlight: number;
  /** The group whose sockets' frames are counted. */
  counted: string;
  /** How long the job runs: for a time, or until each sender has this many answers. */
  length: { warmUpSeconds: number; seconds: number } | { requestsPerSender: number };
  serverPid: number;
}

/** What acknowledges a message: the answer to its request, or its own frame of the room, as for a program that only listens. */
export type Acknowledgement = 'answer' | 'delivery';

/** Closed loop: each sender sends its next message when the last one is acknowledged. */
export interface TimedFloodJob {
  acknowledgedBy?: Acknowledgement;
  group: string;
  senders: { socket: number; conversationId: string }[];
  roomSize: number;
  contentBytes: number;
  warmUpSeconds: number;
  seconds: number;
  serverPid: number;
}

export interface TimedFloodResult {
  seconds: number;
  acks: number;
  /** From the request to its answer, and to its arrival at every other member. */
  answers: Times;
  deliveries: Times;
  cores: Cores;
}

/** Shares of one core: 1 is one core fully busy. */
export interface Cores {
  generator: number;
  server: number | undefined;
}

export interface FloodResult {
  seconds: number;
  /** Within the measured interval. */
  acks: number;
  messages: number;
  deltas: number;
  /** From the first request to the last frame: shows how much of the traffic the counted sockets received. */
  allAcks: number;
  allMessages: number;
  /** Mean payload sizes. */
  messageBytes: number | undefined;
  deltaBytes: number | undefined;
  ackBytes: number | undefined;
  cores: Cores;
}

export interface HttpFloodJob {
  url: string;
  /** One connection each, one request at a time. */
  senders: { token: string; chatId: string; text: string }[];
  warmUpSeconds: number;
  seconds: number;
  serverPid: number;
}

export interface HttpFloodResult {
  seconds: number;
  replies: number;
  cores: Cores;
}

/** Open loop: messages at a steady rate, sent by all sockets of the group in turn, plus tokens on open streams. */
export interface PacedJob {
  group: string;
  conversationId: string;
  messagesPerSecond: number;
  /** How many sockets send; undefined: all. */
  senders?: number;
  /** Delivery times count from when a message was due, not from when it was sent. */
  fromDue?: boolean;
  contentBytes: number;
  warmUpSeconds: number;
  seconds: number;
  streams?: { group: string; bySocket: string[][]; tokensPerSecond: number; token: string };
  serverPid: number;
}

/** Open loop: each open stream grows by a token at a steady rate. */
export interface GrowJob {
  group: string;
  /** The open streams of each socket of the group, and what grows in them: text if it is not said. */
  bySocket: string[][];
  growing?: readonly Growing[];
  tokensPerSecond: number;
  token: string;
  /** The group whose sockets' frames are counted. */
  counted: string;
  warmUpSeconds: number;
  seconds: number;
  serverPid: number;
}

/** Within the measured interval; the frames are those of all counted sockets. */
export interface GrowResult {
  seconds: number;
  appends: number;
  frames: number;
  /** Mean payload size. */
  frameBytes: number | undefined;
  cores: Cores;
}

export interface PacedResult {
  sent: number;
  delivered: number;
  expected: number;
  p50Ms: number | undefined;
  p99Ms: number | undefined;
  maxMs: number | undefined;
  /** p99 of each second of the interval. */
  p99OfSecondsMs: (number | undefined)[];
  messageBytes: number | undefined;
  deltas: number;
  deltaBytes: number | undefined;
  ackBytes: number | undefined;
  cores: Cores;
}

/** Drops all sockets of the group at the same time, unless that was done before, and reopens them. */
export interface StormJob {
  group: string;
  /** Each socket also asks for what it has missed, and is back with the answer; it must see whole frames. */
  catchesUp?: boolean;
  serverPid: number;
}

export interface StormResult {
  seconds: number;
  /** Mean of the answers with what was missed. */
  answerBytes: number | undefined;
  cores: Cores;
}

/**
 * Clients that reconnect by themselves. The job ends once each has fetched all that it missed and, if `awaited` is
 * given, received that text.
 */
export interface ReturnJob {
  /** The clients drop their own connections, all at the same time; otherwise they wait to be cut off. */
  isCutHere: boolean;
  awaited: string | null;
  withinSeconds: number;
}

/** Clients that reconnect by themselves, and what they send while they are connected. */
export interface GatherJob {
  urls: string[];
  /** The clients send in turn, each to the chat at its own place in `chatIds`; `perSecond` is the rate of all. */
  sends?: { chatIds: string[]; text: string; perSecond: number };
}

/** When the first client, half of them and the last one had caught up; milliseconds since 1970. */
export interface ReturnResult {
  first: number;
  half: number;
  last: number;
}

export interface Jobs {
  connect: { params: ConnectJob; result: { seconds: number } };
  flood: { params: FloodJob; result: FloodResult };
  timedFlood: { params: TimedFloodJob; result: TimedFloodResult };
  httpFlood: { params: HttpFloodJob; result: HttpFloodResult };
  paced: { params: PacedJob; result: PacedResult };
  grow: { params: GrowJob; result: GrowResult };
  storm: { params: StormJob; result: StormResult };
  gather: { params: GatherJob; result: { connected: number } };
  comeBack: { params: ReturnJob; result: ReturnResult };
  drop: { params: { group: string }; result: { dropped: number } };
  tally: { params: { group: string }; result: Tally };
}

export type JobName = keyof Jobs;
export type JobParams<Name extends JobName> = Jobs[Name]['params'];
export type JobResult<Name extends JobName> = Jobs[Name]['result'];

export interface JobRequest<Name extends JobName = JobName> {
  id: number;
  name: Name;
  params: JobParams<Name>;
}

export type JobReply<Name extends JobName = JobName> =
  | { id: number; result: JobResult<Name> }
  | { id: number; error: string };
