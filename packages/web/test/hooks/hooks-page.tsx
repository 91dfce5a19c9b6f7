// The page of hooks.test.ts: hydrates what the server has rendered, and can unmount and mount again.
import { createClient } from '@parley/client';
import { hydrateRoot, type Root, createRoot } from 'react-dom/client';
import { renders, View } from './hooks-view.tsx';

const { token = '', chatId = '' } = document.body.dataset;
const client = createClient({ url: location.origin, token, autoConnect: false });
const place = document.querySelector('#view') ?? document.body;
const problems: string[] = [];
const view = <View client={client} chatId={chatId} />;
let root: Root = hydrateRoot(place, view, { onRecoverableError: (error) => problems.push(String(error)) });

const page = {
  client,
  renders,
  problems,
  unmount: () => root.unmount(),
  mount() {
    root = createRoot(place);
    root.render(view);
  },
};
export type HooksPage = typeof page;
Object.assign(globalThis, { page });
