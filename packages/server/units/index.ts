// units/: writes that no caller asked for. Imports the rooms of the domain, not operations.
import { adminUnits } from './administration.ts';
import { applyHouse } from './house.ts';
import { keepBackendKeys } from './backends.ts';
import { bookUsage } from '../agents/book-usage.ts';
import { checkpoint } from '../replies/store-checkpoint.ts';
import { closeOpenStream } from '../agents/close-stream.ts';
import { failDue, remindDue, sendDue } from './due-messages.ts';
import { dropEnded, failRun, runDue } from './due-schedules.ts';
import { emptyChat } from './empty-chat.ts';
import { ensureDevAccount } from './ensure-dev-account.ts';
import { ensureGuide } from '../agents/ensure-guide.ts';
import { logUnits } from '../log/log-units.ts';
import { expireDecision } from './expire-decision.ts';
import { fileTextUnits } from '../files/file-text-units.ts';
import { sourceUnits } from '../library/source-units.ts';
import { fileUnits } from '../files/stored-files.ts';
import { forgetCalls } from './forget-calls.ts';
import { forgetInvites } from './forget-invites.ts';
import { forgetReports } from './forget-reports.ts';
import { forgetSessions } from './forget-sessions.ts';
import { attachPreview, forgetPreviews, keepPreview } from './link-previews.ts';
import { nameChat } from './name-chat.ts';
import { forgetSearchChanges } from './search.ts';
import { noteRefusal } from './note-refusal.ts';
import { openUploadUnits } from '../files/open-upload-units.ts';
import { publishPoll } from './publish-poll.ts';
import { pushUnits } from '../push/push-units.ts';
import { beginSummary, storeSummary } from '../agents/summary-units.ts';
import { beginPicture, endPicture, keepPicture } from '../agents/picture-units.ts';
import { beginTranscript, endTranscript } from '../agents/transcript-units.ts';
import { admitStep, askCalls, beginCall, endCall, pauseCall, storeStep } from '../agents/tool-turns/step-units.ts';
import { signedIn } from '../agents/after-decision.ts';
import { oidcUnits } from '../people/oidc/sign-in-units.ts';
import { toolLoginUnits } from '../tools/login/login-units.ts';
import { ownToolUnits } from '../own-tools/own-tool-units.ts';
import { toolUnits } from '../tools/tool-units.ts';
import { touchAccessTokens } from './touch-access-tokens.ts';
import { touchSessions } from './touch-sessions.ts';
import { claimTurn, recoverTurns } from '../agents/turn-units.ts';
import { webhookUnits } from '../webhooks/subscription-units.ts';

export const internalUnits = {
  ...adminUnits,
  ...fileUnits,
  ...fileTextUnits,
  ...sourceUnits,
  ...logUnits,
  ...openUploadUnits,
  ...pushUnits,
  ...oidcUnits,
  ...ownToolUnits,
  ...toolUnits,
  ...toolLoginUnits(signedIn),
  ...webhookUnits,
  admitStep,
  applyHouse,
  askCalls,
  attachPreview,
  beginCall,
  beginPicture,
  keepPicture,
  beginSummary,
  beginTranscript,
  bookUsage,
  checkpoint,
  claimTurn,
  closeStream: closeOpenStream,
  dropEnded,
  emptyChat,
  endCall,
  endPicture,
  endTranscript,
  ensureDevAccount,
  ensureGuide,
  expireDecision,
  failDue,
  failRun,
  forgetSearchChanges,
  forgetCalls,
  forgetInvites,
  forgetPreviews,
  forgetReports,
  forgetSessions,
  keepBackendKeys,
  keepPreview,
  nameChat,
  noteRefusal,
  pauseCall,
  publishPoll,
  recoverTurns,
  remindDue,
  runDue,
  sendDue,
  storeStep,
  storeSummary,
  touchAccessTokens,
  touchSessions,
} as const;

export type InternalUnits = typeof internalUnits;
