// The page of hooks.test.ts: hydrates what the server has rendered, and can unmount and mount again.
import { createClient } from '@parley/client';
import { hydrateRoot, type Root, createRoot } from 'react-dom/client';
import { renders, View } from './hooks-view.tsx';

const { token = '', chatId = '' } = document.body.dataset;
const client = createClient({ url: location.origin, token, autoConnect: false });
const place = document.querySelector('#view') ?? document.body;
const problems: string[] = [];
const { promise: late, resolve: hydrateLate } = Promise.withResolvers<void>();
const view = <View client={client} chatId={chatId} late={late} />;
let root: Root = hydrateRoot(place, view, { onRecoverableError: (error) => problems.push(String(error)) });

const page = {
  client,
  renders,
  problems,
  hydrateLate,
  unmount: () => root.unmount(),
  /** Again, or with a thread instead of the chat. */
  mount(threadRootId?: string) {
    root.unmount();
    root = createRoot(place);
    root.render(<View client={client} chatId={chatId} threadRootId={threadRootId} />);
  },
};
export type HooksPage = typeof page;
Object.assign(globalThis, { page });
