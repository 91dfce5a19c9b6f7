// Streaming replies of bots; stopping, continuing and retrying replies of any agent.
import appendMessageStream from './appendMessageStream.ts';
import continueReply from './continueReply.ts';
import finishMessageStream from './finishMessageStream.ts';
import retryReply from './retryReply.ts';
import startMessageStream from './startMessageStream.ts';
import stopRun from './stopRun.ts';

export const streamHandlers = {
  appendMessageStream,
  continueReply,
  finishMessageStream,
  retryReply,
  startMessageStream,
  stopRun,
};
