import type { Intent } from './effects.ts';

/**
 * Where intents are applied (CLUSTER-3): on every node, in the order of the log ('kept' and 'published'), or only on
 * the node that ran the unit ('own'). Kept intents are stored too, so that a node that missed the publication finds
 * them.
 */
const shared: Readonly<Record<Intent['type'], 'kept' | 'published' | 'own'>> = {
  join: 'kept',
  leave: 'kept',
  closeSessions: 'kept',
  closeTokens: 'kept',
  closeAccount: 'kept',
  accountChanged: 'kept',
  roleChanged: 'kept',
  statusChanged: 'kept',
  cancelTurns: 'kept',
  openStream: 'kept',
  cancelStreams: 'kept',
  endStreams: 'kept',
  dropStreams: 'kept',
  clearTyping: 'published',
  textChanged: 'published',
  runTurns: 'own',
  roomForTurns: 'own',
  runClaimed: 'own',
  makeTitle: 'own',
  previewLink: 'own',
  push: 'own',
  takeBack: 'published',
  receiptMoved: 'own',
  removeFiles: 'own',
};

export const isShared = ({ type }: Intent): boolean => shared[type] !== 'own';

export const isKept = ({ type }: Intent): boolean => shared[type] === 'kept';
