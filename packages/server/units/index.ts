// units/: writes that no caller asked for. Imports the rooms of the domain, not operations.
import { adminUnits } from './administration.ts';
import { keepBackendKeys } from './backends.ts';
import { bookUsage } from '../agents/book-usage.ts';
import { checkpoint } from '../replies/store-checkpoint.ts';
import { closeOpenStream } from '../agents/close-stream.ts';
import { failDue, remindDue, sendDue } from './due-messages.ts';
import { emptyChat } from './empty-chat.ts';
import { ensureDevAccount } from './ensure-dev-account.ts';
import { ensureGuide } from '../agents/ensure-guide.ts';
import { logUnits } from '../log/log-units.ts';
import { expireDecision } from './expire-decision.ts';
import { fileTextUnits } from '../files/file-text-units.ts';
import { fileUnits } from '../files/stored-files.ts';
import { forgetCalls } from './forget-calls.ts';
import { forgetInvites } from './forget-invites.ts';
import { forgetSessions } from './forget-sessions.ts';
import { attachPreview, forgetPreviews, keepPreview } from './link-previews.ts';
import { nameChat } from './name-chat.ts';
import { forgetSearchChanges } from './search.ts';
import { publishPoll } from './publish-poll.ts';
import { pushUnits } from '../push/push-units.ts';
import { beginSummary, storeSummary } from '../agents/summary-units.ts';
import { beginTranscript, endTranscript } from '../agents/transcript-units.ts';
import { admitStep, askCalls, beginCall, endCall, pauseCall, storeStep } from '../agents/tool-turns/step-units.ts';
import { signedIn } from '../agents/after-decision.ts';
import { toolLoginUnits } from '../tools/login/login-units.ts';
import { toolUnits } from '../tools/tool-units.ts';
import { touchSessions } from './touch-sessions.ts';
import { claimTurn, recoverTurns } from '../agents/turn-units.ts';
import { webhookUnits } from '../webhooks/subscription-units.ts';

export const internalUnits = {
  ...adminUnits,
  ...fileUnits,
  ...fileTextUnits,
  ...logUnits,
  ...pushUnits,
  ...toolUnits,
  ...toolLoginUnits(signedIn),
  ...webhookUnits,
  admitStep,
  askCalls,
  attachPreview,
  beginCall,
  beginSummary,
  beginTranscript,
  bookUsage,
  checkpoint,
  claimTurn,
  closeStream: closeOpenStream,
  emptyChat,
  endCall,
  endTranscript,
  ensureDevAccount,
  ensureGuide,
  expireDecision,
  failDue,
  forgetSearchChanges,
  forgetCalls,
  forgetInvites,
  forgetPreviews,
  forgetSessions,
  keepBackendKeys,
  keepPreview,
  nameChat,
  pauseCall,
  publishPoll,
  recoverTurns,
  remindDue,
  sendDue,
  storeStep,
  storeSummary,
  touchSessions,
} as const;

export type InternalUnits = typeof internalUnits;
