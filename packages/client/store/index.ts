export type { Cell } from '../cell.ts';
export type { Inbox } from './inbox.ts';
export { createStore } from './create-store.ts';
export { isInFolder } from './in-folder.ts';
export { hasRow, rowOf, shownIn } from './versions.ts';
export type {
  Chat,
  ChatList,
  MemberList,
  SavedStore,
  SavedTimeline,
  SaveLimits,
  Scheduled,
  Store,
  StoredAlert,
  StoredMessage,
  StoreOptions,
  ThreadSummary,
  Timeline,
  TimelineState,
} from './store.ts';
