// Starts the widget in its frame (widget/widget.tsx).
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { isForLimited } from '@parley/protocol/limited-sessions';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/primitives.css';
import { applyTheme, themes } from './browser/appearance.ts';
import { browserClock } from './browser/browser-clock.ts';
import { openSession } from './session/session.ts';
import { accentOf } from './widget/accent.ts';
import { Host, settingsOf } from './widget/host.ts';
import { RenewedSession } from './widget/renewed-session.ts';
import { ownerOf } from './widget/token-owner.ts';
import { Widget } from './widget/widget.tsx';
import { applyLanguage, direction } from './words/language.ts';
import { hideOwners } from './words/shown-name.ts';
import { hasWords } from './words/t.ts';

const origin = new URLSearchParams(location.search).get('origin');
const { chat, theme, accent } = settingsOf(location.hash);
applyTheme(themes.find((one) => one === theme) ?? 'system');
applyLanguage(hasWords);
hideOwners();
const { documentElement } = document;
const palette = accentOf(accent);
if (palette) {
  documentElement.style.setProperty('--accent', palette.accent);
  documentElement.style.setProperty('--focus', palette.accent);
  documentElement.style.setProperty('--accent-ink', palette.ink);
  documentElement.style.setProperty('--accent-soft', palette.soft);
  documentElement.style.setProperty('--own', palette.soft);
}
const root = document.querySelector('#root');
if (!root) throw new Error('the page has no #root element');
// Somebody opened the frame's address: the app has a page for them.
if (origin === null || parent === window) location.replace('/');
else {
  const host = new Host(origin, browserClock);
  const renewed = new RenewedSession({
    ask: () => host.askForToken(),
    ownerOf,
    open: (username, token) => openSession(username, { token, may: isForLimited }),
    clock: browserClock,
  });
  host.onRenew = () => void renewed.renew({ anew: true });
  createRoot(root).render(
    <StrictMode>
      <DirectionProvider direction={direction}>
        <Widget host={host} renewed={renewed} chat={chat} />
      </DirectionProvider>
    </StrictMode>,
  );
}
