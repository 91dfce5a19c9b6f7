'use client';
// React hooks that read a store and send through its client. They render on a server, and bear effects that run twice
// (StrictMode).
export { type Chats, type ShownTimeline, useChat, useChats, useConnection, useMessage } from './hooks.ts';
export { useTimeline, useTyping } from './hooks.ts';
export { ParleyProvider, type ParleyProviderProps, useClient, useStore } from './provider.ts';
export { useCell } from './use-cell.ts';
export { bodyOf, type Composer, useComposer } from './use-composer.ts';
