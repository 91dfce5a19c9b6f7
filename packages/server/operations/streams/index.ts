// Replies that a bot's daemon streams from outside, stopping replies, whoever runs them, and having them made again.
import appendMessageStream from './appendMessageStream.ts';
import finishMessageStream from './finishMessageStream.ts';
import retryReply from './retryReply.ts';
import startMessageStream from './startMessageStream.ts';
import stopRun from './stopRun.ts';

export const streamHandlers = { appendMessageStream, finishMessageStream, retryReply, startMessageStream, stopRun };
