// Streaming replies of bots; stopping and retrying replies of any agent.
import appendMessageStream from './appendMessageStream.ts';
import finishMessageStream from './finishMessageStream.ts';
import retryReply from './retryReply.ts';
import startMessageStream from './startMessageStream.ts';
import stopRun from './stopRun.ts';

export const streamHandlers = { appendMessageStream, finishMessageStream, retryReply, startMessageStream, stopRun };
