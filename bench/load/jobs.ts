import type { Tally } from './raw-socket.ts';

/** Sockets of the generator are opened in named groups; jobs name the groups they use. */
export interface ConnectJob {
  group: string;
  /** `http://host:port` of the server. */
  url: string;
  /** Path and query of each socket. */
  paths: string[];
  peekBytes?: number;
  reading?: boolean;
  /** All at once, as after a storm; otherwise 200 at a time. */
  atOnce?: boolean;
}

/** What one socket sends, over and over. */
export type Sending =
  | { socket: number; conversationId: string; content: string }
  | { socket: number; streams: string[]; delta: string };

/** Closed loop: each sender keeps `inFlight` requests unanswered. */
export interface FloodJob {
  group: string;
  senders: Sending[];
  inFlight: number;
  /** The group whose sockets' frames are counted. */
  counted: string;
  /** For a while, or until each sender has had this many answers. */
  length: { warmUpSeconds: number; seconds: number } | { requestsPerSender: number };
  serverPid: number;
}

/** Cores are shares of one core: 1 is one core busy all the time. */
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
  /** From the first request to the last frame: what the counted sockets got of what was sent. */
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

/** Open loop: messages at a steady pace from all sockets of the group in turn, and tokens on open streams beside. */
export interface PacedJob {
  group: string;
  conversationId: string;
  messagesPerSecond: number;
  contentBytes: number;
  warmUpSeconds: number;
  seconds: number;
  streams?: { group: string; bySocket: string[][]; tokensPerSecond: number; token: string };
  serverPid: number;
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

/** Drops every socket of the group at once and opens them all again. */
export interface StormJob {
  group: string;
}

/** Clients that come back by themselves; until each has seen a text, where one is given, and all that it has missed. */
export interface ReturnJob {
  /** They cut themselves off, all at once; else somebody else does. */
  isCutHere: boolean;
  awaited: string | null;
  withinSeconds: number;
}

/** When they had caught up: half of them, and the last; milliseconds since 1970. */
export interface ReturnResult {
  half: number;
  last: number;
}

export interface Jobs {
  connect: { params: ConnectJob; result: { seconds: number } };
  flood: { params: FloodJob; result: FloodResult };
  httpFlood: { params: HttpFloodJob; result: HttpFloodResult };
  paced: { params: PacedJob; result: PacedResult };
  storm: { params: StormJob; result: { seconds: number } };
  gather: { params: { urls: string[] }; result: { connected: number } };
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
