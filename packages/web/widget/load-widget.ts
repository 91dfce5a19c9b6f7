// The script that pages of other sites load from /widget.js (docs/WIDGET.md): a button, and a panel with the frame of the
// conversation. A bundle of its own, small and without imports: everything that can be elsewhere is in the frame.
import type { GivenToken, ToFrame, ToPage } from './host-messages.ts';

declare global {
  interface Window {
    /** Set by the page: returns a token of the user who is signed in there. */
    parleyToken?: () => Promise<string | GivenToken>;
    Parley?: { open: () => void; close: () => void; remove: () => void };
  }
}

/** How long after its page has arrived a frame may take to show itself. */
const PATIENCE_MS = 5_000;

// Important, because the page's own styles for the element would win otherwise.
const css = `
:host { all: initial !important; position: fixed !important; inset-block-end: 20px !important; inset-inline-end: 20px !important;
  z-index: 2147483000 !important; color-scheme: var(--scheme) !important; }
[hidden] { display: none !important; }
button { display: grid; place-items: center; position: relative; width: 56px; height: 56px; padding: 0; border: 0;
  border-radius: 50%; background: var(--accent); color: var(--ink); cursor: pointer; box-shadow: 0 4px 18px rgb(0 0 0 / 25%); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
svg { width: 26px; height: 26px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
span { position: absolute; inset-block-start: -4px; inset-inline-end: -4px; box-sizing: border-box; min-width: 22px; height: 22px;
  padding: 0 6px; border-radius: 11px; background: #a8322a; color: #fff; font: 600 12px/22px system-ui, sans-serif; text-align: center; }
div { position: absolute; inset-block-end: 72px; inset-inline-end: 0; width: 400px; height: min(640px, 100vh - 112px);
  overflow: hidden; border: 1px solid rgb(128 128 128 / 30%); border-radius: 16px; background: Canvas; box-shadow: 0 8px 40px rgb(0 0 0 / 25%); }
iframe { display: block; width: 100%; height: 100%; border: 0; }
@media (max-width: 480px) {
  div { position: fixed; inset: 0; width: auto; height: auto; border: 0; border-radius: 0; }
  div:not([hidden]) ~ button { display: none; }
}`;

const CHAT = 'M7.9 20A9 9 0 1 0 4 16.1L2 22Z';
const CROSS = 'M18 6 6 18M6 6l12 12';

/** For the developer of the page. */
function say(text: string, ...errors: unknown[]): void {
  // oxlint-disable-next-line no-console
  console.error(`Parley: ${text}`, ...errors);
}

function load(script: HTMLScriptElement): void {
  const { chat = '', token, theme = 'auto', accent = '' } = script.dataset;
  const service = new URL(script.src).origin;
  if (chat === '') return say('data-chat is missing: the id of a conversation, or the username of an agent');
  // A second script takes the place of the first.
  window.Parley?.remove();

  const host = document.createElement('parley-widget');
  host.style.setProperty('--scheme', theme === 'light' || theme === 'dark' ? theme : 'light dark');
  const root = host.attachShadow({ mode: 'open' });
  // Allowed by every content security policy, as a style element is not.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];

  const panel = document.createElement('div');
  panel.setAttribute('role', 'dialog');
  panel.hidden = true;
  const frame = document.createElement('iframe');
  const settings = new URLSearchParams({ chat, theme, accent });
  frame.src = `${service}/widget?origin=${encodeURIComponent(location.origin)}#${settings}`;
  frame.allow = 'clipboard-write; fullscreen; microphone';
  panel.append(frame);

  const button = document.createElement('button');
  button.type = 'button';
  button.hidden = true;
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  icon.append(line);
  const badge = document.createElement('span');
  badge.setAttribute('aria-hidden', 'true');
  button.append(icon, badge);
  root.append(panel, button);

  let isOpen = false;
  const post = (message: ToFrame): void => frame.contentWindow?.postMessage(message, service);
  const show = (shown: boolean): void => {
    if (shown === isOpen || button.hidden) return;
    const hadFocus = document.activeElement === host;
    isOpen = shown;
    panel.hidden = !shown;
    button.setAttribute('aria-expanded', String(shown));
    line.setAttribute('d', shown ? CROSS : CHAT);
    if (shown) frame.focus();
    else if (hadFocus) button.focus();
    post({ kind: 'shown', isOpen });
  };

  const askForToken = async (): Promise<void> => {
    let given: GivenToken | null = null;
    try {
      const answer = window.parleyToken ? await window.parleyToken() : token;
      given = typeof answer === 'string' ? { token: answer } : (answer ?? null);
      if (typeof given?.token !== 'string') say('no token: set data-token, or have window.parleyToken return one');
    } catch (error) {
      say('window.parleyToken failed', error);
    }
    post({ kind: 'token', given });
  };

  const onMessage = ({ source, origin, data }: MessageEvent<ToPage>): void => {
    if (source !== frame.contentWindow || origin !== service) return;
    if (data.kind === 'token') void askForToken();
    if (data.kind === 'close') show(false);
    if (data.kind !== 'button') return;
    button.hidden = false;
    button.setAttribute('aria-label', data.label);
    badge.hidden = data.unread === 0;
    badge.textContent = data.unread > 99 ? '99+' : String(data.unread);
    panel.setAttribute('aria-label', data.title);
    frame.title = data.title;
    host.style.setProperty('--accent', data.accent);
    host.style.setProperty('--ink', data.accentInk);
  };
  line.setAttribute('d', CHAT);
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => show(!isOpen));
  button.addEventListener('keydown', ({ key }) => key === 'Escape' && show(false));
  window.addEventListener('message', onMessage);
  frame.addEventListener('load', () => {
    setTimeout(() => {
      if (button.hidden && host.isConnected)
        say(
          `the chat did not open. If ${service} refused to be shown here, add ${location.origin} to its WIDGET_ORIGINS.`,
        );
    }, PATIENCE_MS);
  });
  const start = (): void => document.body.append(host);
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start);

  window.Parley = {
    open: () => show(true),
    close: () => show(false),
    remove() {
      window.removeEventListener('load', start);
      window.removeEventListener('message', onMessage);
      host.remove();
      delete window.Parley;
    },
  };
}

if (document.currentScript instanceof HTMLScriptElement) load(document.currentScript);
