// The page of components.test.ts: the chat of docs/packages/react.md, and components with everything replaced.
import { createClient } from '@parley/client';
import {
  ChatList,
  Composer,
  Message,
  ParleyProvider,
  Timeline,
  type TimelineLabels,
  type TimelineProps,
} from '@parley/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Chat } from '../../../../examples/react/chat.tsx';

const { token = '' } = document.body.dataset;
const client = createClient({ url: location.origin, token, autoConnect: false });
const root = createRoot(document.querySelector('#root') ?? document.body);
root.render(
  <StrictMode>
    <Chat client={client} />
  </StrictMode>,
);

/** Both conversations, with content and words of its own. */
const Replaced = ({ chatIds }: { chatIds: readonly string[] }) => (
  <ParleyProvider client={client}>
    <ChatList
      onOpen={() => undefined}
      renderChat={({ unread_count: unread }) => <i>{`${unread} new`}</i>}
      labels={{ failing: 'Nobody answers' }}
    />
    {chatIds.map((chatId) => (
      <div key={chatId} style={{ height: 200 }}>
        <Timeline
          chatId={chatId}
          labels={{ messages: `Letters of ${chatId}` }}
          components={{ Empty: () => <i>Nothing here</i> }}
          renderMessage={(message, { before, isOwn }) => (
            <Message
              message={message}
              renderText={({ content }) => <i>{`${isOwn ? 'own' : 'theirs'} ${content} after ${before?.content}`}</i>}
            />
          )}
        />
      </div>
    ))}
    <Composer chatId={chatIds[0] ?? ''} labels={{ send: 'Off it goes' }}>
      <button type="button">Files</button>
    </Composer>
  </ParleyProvider>
);

const Alone = ({ chatId, labels }: Required<Pick<TimelineProps, 'chatId' | 'labels'>>) => (
  <ParleyProvider client={client}>
    <div style={{ display: 'flex', flexDirection: 'column', height: 300 }}>
      <Timeline chatId={chatId} labels={labels} components={{ Loading: () => <i>Please wait</i> }} />
    </div>
  </ParleyProvider>
);

const page = {
  client,
  /** A Timeline without a ChatList. */
  showAlone: (chatId: string, labels: Partial<TimelineLabels> = {}) =>
    root.render(<Alone chatId={chatId} labels={labels} />),
  replace: (chatIds: readonly string[]) => root.render(<Replaced chatIds={chatIds} />),
};
export type ComponentsPage = typeof page;
Object.assign(globalThis, { page });
