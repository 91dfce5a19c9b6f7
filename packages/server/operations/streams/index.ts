// Streaming replies of bots; stopping, continuing and retrying replies of any agent, and the versions of a reply.
import appendMessageStream from './appendMessageStream.ts';
import chooseVersion from './chooseVersion.ts';
import continueReply from './continueReply.ts';
import finishMessageStream from './finishMessageStream.ts';
import getOpenStreams from './getOpenStreams.ts';
import retryReply from './retryReply.ts';
import startMessageStream from './startMessageStream.ts';
import stopRun from './stopRun.ts';

export const streamHandlers = {
  appendMessageStream,
  chooseVersion,
  continueReply,
  finishMessageStream,
  getOpenStreams,
  retryReply,
  startMessageStream,
  stopRun,
};
