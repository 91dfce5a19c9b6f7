// The service's own units of work: what it writes without being asked by an operation.
import { adminUnits } from './administration.ts';
import { bookUsage } from '../agents/book-usage.ts';
import { checkpoint } from './checkpoint.ts';
import { closeOpenStream } from '../agents/close-stream.ts';
import { emptyChat } from './empty-chat.ts';
import { ensureDevAccount } from './ensure-dev-account.ts';
import { ensureGuide } from './ensure-guide.ts';
import { indexEvents, trimLog, trimScopes } from './event-log.ts';
import { dropUnusedFiles, expectBytes, forgetRemovals, storeFile } from '../files/stored-files.ts';
import { forgetInvites } from './forget-invites.ts';
import { forgetSessions } from './forget-sessions.ts';
import { forgetSearchChanges } from './search.ts';
import { dropPushToken, settlePushes, takeOverPushes } from './settle-pushes.ts';
import { touchSessions } from './touch-sessions.ts';
import { claimTurn, recoverTurns } from '../agents/turn-units.ts';

export const internalUnits = {
  ...adminUnits,
  bookUsage,
  checkpoint,
  claimTurn,
  closeStream: closeOpenStream,
  dropPushToken,
  dropUnusedFiles,
  emptyChat,
  ensureDevAccount,
  ensureGuide,
  expectBytes,
  forgetRemovals,
  forgetSearchChanges,
  forgetInvites,
  forgetSessions,
  indexEvents,
  recoverTurns,
  settlePushes,
  storeFile,
  takeOverPushes,
  touchSessions,
  trimLog,
  trimScopes,
} as const;

export type InternalUnits = typeof internalUnits;
