import type { Client } from '@parley/client';
import { ChatList, Composer, ParleyProvider, Timeline } from '@parley/react';
import '@parley/react/styles.css';
import { useState } from 'react';
import './chat.css';

/** The client was made with `autoConnect: false`: the provider connects it while the page is shown. */
export const Chat = ({ client }: { client: Client }) => (
  <ParleyProvider client={client}>
    <Page />
  </ParleyProvider>
);

function Page() {
  const [chatId, open] = useState<string | null>(null);
  return (
    <div className="chat">
      <ChatList openId={chatId} onOpen={open} />
      {chatId && (
        <main>
          <button type="button" className="back" onClick={() => open(null)}>
            ← Conversations
          </button>
          <Timeline chatId={chatId} />
          <Composer chatId={chatId} />
        </main>
      )}
    </div>
  );
}
