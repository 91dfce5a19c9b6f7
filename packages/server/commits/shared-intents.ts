import type { Intent } from './effects.ts';

/** What a unit leaves for every node, in the order of the log; the rest is for the node that ran it (CLUSTER-3). */
const shared: Readonly<Record<Intent['type'], 'kept' | 'told' | 'own'>> = {
  join: 'kept',
  leave: 'kept',
  closeSessions: 'kept',
  closeAccount: 'kept',
  accountChanged: 'kept',
  cancelTurns: 'kept',
  openStream: 'kept',
  cancelStreams: 'kept',
  endStreams: 'kept',
  dropStreams: 'kept',
  clearTyping: 'told',
  textChanged: 'told',
  runTurns: 'own',
  runClaimed: 'own',
  push: 'own',
  takeBack: 'told',
  removeFiles: 'own',
};

export const isShared = ({ type }: Intent): boolean => shared[type] !== 'own';

/** True for what a node must not miss: it is in the store for those that were not told. */
export const isKept = ({ type }: Intent): boolean => shared[type] === 'kept';
