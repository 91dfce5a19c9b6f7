// What an app made with React does with the packages; it is compiled against the tarballs, as converse.ts is.
import type { Client } from '@parley/client';
import { ChatList, Composer, ParleyProvider, Timeline, useComposer, useMessage, useTimeline } from '@parley/react';
import '@parley/react/styles.css';
import { createElement, type ReactElement } from 'react';

const Row = ({ id }: { id: string }): ReactElement => createElement('p', null, useMessage(id)?.content);

function Chat({ chatId }: { chatId: string }): ReactElement {
  const { rows } = useTimeline({ chat_id: chatId });
  const { send } = useComposer({ chat_id: chatId });
  const shown = rows.map((key) => createElement(Row, { key, id: key }));
  return createElement('main', { onClick: () => send({ text: 'Hello' }) }, shown);
}

const Page = ({ chatId }: { chatId: string }): ReactElement =>
  createElement(
    'main',
    null,
    createElement(ChatList, { onOpen: (id) => void id }),
    createElement(Timeline, { chatId, renderMessage: ({ content }, { isOwn }) => (isOwn ? null : content) }),
    createElement(Composer, { chatId, labels: { send: 'Go' } }),
  );

export const view = (client: Client, chatId: string): ReactElement =>
  createElement(ParleyProvider, { client }, createElement(Chat, { chatId }), createElement(Page, { chatId }));
