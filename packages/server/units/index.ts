// The service's own units of work: what it writes without being asked by an operation.
import { adminUnits } from './administration.ts';
import { checkpoint } from './checkpoint.ts';
import { closeStream } from './close-stream.ts';
import { ensureDevAccount } from './ensure-dev-account.ts';
import { ensureGuide } from './ensure-guide.ts';
import { indexEvents, trimLog } from './event-log.ts';
import { forgetSessions } from './forget-sessions.ts';
import { dropPushToken, settlePushes } from './settle-pushes.ts';
import { touchSessions } from './touch-sessions.ts';
import { claimTurn, recoverTurns } from './turns.ts';

export const internalUnits = {
  ...adminUnits,
  checkpoint,
  claimTurn,
  closeStream,
  dropPushToken,
  ensureDevAccount,
  ensureGuide,
  forgetSessions,
  indexEvents,
  recoverTurns,
  settlePushes,
  touchSessions,
  trimLog,
} as const;

export type InternalUnits = typeof internalUnits;
