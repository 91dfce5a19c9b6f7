// Replies that a bot's daemon streams from outside, and stopping replies, whoever runs them.
import appendMessageStream from './appendMessageStream.ts';
import finishMessageStream from './finishMessageStream.ts';
import startMessageStream from './startMessageStream.ts';
import stopRun from './stopRun.ts';

export const streamHandlers = { appendMessageStream, finishMessageStream, startMessageStream, stopRun };
