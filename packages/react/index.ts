'use client';
// React hooks and components that read a store and send through its client. They render on a server, and work where
// effects run twice (StrictMode).

// The provider, and hooks without markup.
export { ParleyProvider, type ParleyProviderProps, StoreProvider, useClient, useStore } from './provider.ts';
export { type Chats, type ShownTimeline, useChat, useChats, useConnection, useMessage } from './hooks.ts';
export { useShownMessage, useTimeline, useTyping } from './hooks.ts';
export { useCell } from './use-cell.ts';
export { bodyOf, type ComposerState, useComposer } from './composer/use-composer.ts';

// Components, with the look of styles.css or another.
export { ChatList, type ChatListLabels, type ChatListProps } from './chats/chat-list.tsx';
export { Composer, type ComposerLabels, type ComposerProps } from './composer/composer.tsx';
export { Message, type MessageLabels, type MessageProps } from './message/message.tsx';
export { type RowMarks, Timeline, type TimelineLabels, type TimelineProps } from './timeline/timeline.tsx';

// What they are made of, for components of an app's own.
export { useChatRows } from './chats/use-chat-rows.ts';
export { isComposing, isSendKey, isTouch, type PressedKey } from './composer/keys.ts';
export { TextArea, type TextAreaProps } from './composer/text-area.tsx';
export { afterMeasuring } from './timeline/after-measuring.ts';
export { useAnnouncement } from './timeline/use-announcement.ts';
export type { Goal, Target } from './timeline/use-opening.ts';
export { type TimelineView, type TimelineViewInput, useTimelineView } from './timeline/use-timeline-view.ts';
