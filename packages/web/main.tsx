import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import { applyTheme } from './browser/appearance.ts';
import { Navigation } from './browser/navigation.ts';
import { Overlays } from './browser/overlays.ts';
import { type Page, PageContext } from './browser/page.ts';
import { App } from './app/app.tsx';

applyTheme();
const root = document.querySelector('#root');
if (!root) throw new Error('the page has no place for the app');
const overlays = new Overlays();
const page: Page = { overlays, navigation: new Navigation(overlays), loadedScripts: new Set() };
createRoot(root).render(
  <StrictMode>
    <PageContext value={page}>
      <App />
    </PageContext>
  </StrictMode>,
);

// After all that the page itself needs. It opens the app without a network; a browser without it has no more than that.
if (import.meta.env.PROD)
  addEventListener('load', () => {
    void navigator.serviceWorker?.register('/service-worker.js', { scope: '/' }).catch(() => undefined);
  });
