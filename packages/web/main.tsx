// Starts the app. The rooms of this package, from the bottom up; each imports only from rooms before it, types included:
//   browser · words · calls · ui · session · emoji · config · markdown · files · chats · composer · messages ·
//   notifications · settings · admin · agent-page · app · widget · main.tsx, widget.tsx
// notifications and settings do not import composer or messages. worker/ is a bundle of its own, as is
// widget/load-widget.ts: it imports from no room, and rooms import only types from it. The first file of a folder says what the folder may import.
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/primitives.css';
import { applyTheme } from './browser/appearance.ts';
import { Navigation } from './browser/navigation.ts';
import { Overlays } from './browser/overlays.ts';
import { type Page, PageContext } from './browser/page.ts';
import { followKeyboard } from './browser/visible-height.ts';
import { App } from './app/app.tsx';
import { savedSession } from './session/session.ts';
import { applyLanguage, direction } from './words/language.ts';
import { hasWords, t } from './words/t.ts';

applyTheme();
followKeyboard();
applyLanguage(hasWords);
document.querySelector('meta[name=description]')?.setAttribute('content', t('Chat with people and AI agents.'));
const root = document.querySelector('#root');
if (!root) throw new Error('the page has no #root element');
const overlays = new Overlays();
const page: Page = {
  overlays,
  navigation: new Navigation(overlays),
  loadedScripts: new Set(),
  beside: { chatId: null },
};
const saved = await savedSession();
createRoot(root).render(
  <StrictMode>
    <PageContext value={page}>
      <DirectionProvider direction={direction}>
        <App saved={saved} />
      </DirectionProvider>
    </PageContext>
  </StrictMode>,
);

/** It lets the app open offline; without it, all else works. */
const registerWorker = (): void =>
  void navigator.serviceWorker?.register('/service-worker.js', { scope: '/' }).catch(() => undefined);
// After load, so that it does not delay the page; which may have loaded while this script waited for what is kept.
if (import.meta.env.PROD) {
  if (document.readyState === 'complete') registerWorker();
  else addEventListener('load', registerWorker);
}
