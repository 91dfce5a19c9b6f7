// The script that pages of other sites load from /widget.js (docs/WIDGET.md): a button, and a panel with the frame of the
// conversation. A bundle of its own, small and without imports: everything that can be elsewhere is in the frame.
import type { GivenToken, ToFrame, TokenAnswer, ToPage } from './host-messages.ts';

declare global {
  interface Window {
    /** Set by the page: returns a token of the user who is signed in there, null if nobody is. */
    parleyToken?: () => Promise<string | GivenToken | null>;
    Parley?: { open: () => void; close: () => void; renew: () => void; remove: () => void };
  }
}

/** How long after its page has arrived a frame may take to ask for a token. */
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

/** The width up to which the styles make the panel cover the page. */
const PHONE = '(max-width: 480px)';

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
  if (accent !== '' && !/^#[\da-f]{6}$/i.test(accent)) say(`data-accent is not #rrggbb, such as #0a58ca: ${accent}`);
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
  button.setAttribute('aria-haspopup', 'dialog');
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
  /** The page wants the panel open, and there is no button yet. */
  let isWanted = false;
  /** A document of the service is in the frame. */
  let isThere = false;
  const phone = matchMedia(PHONE);
  /** What the panel covers on a phone. */
  let covered: HTMLElement[] = [];
  const post = (message: ToFrame): void => frame.contentWindow?.postMessage(message, service);
  const postShown = (): void => post({ kind: 'shown', isOpen });
  const renew = (): void => {
    if (isThere) post({ kind: 'renew' });
  };
  const cover = (): void => {
    const isModal = isOpen && phone.matches;
    for (const element of covered) element.inert = false;
    covered = [];
    if (isModal)
      for (const element of document.body.children)
        if (element !== host && element instanceof HTMLElement && !element.inert) covered.push(element);
    for (const element of covered) element.inert = true;
    panel.setAttribute('aria-modal', String(isModal));
  };
  const show = (shown: boolean): void => {
    isWanted = shown && button.hidden === true;
    if (shown === isOpen || button.hidden) return;
    const hadFocus = document.activeElement === host;
    isOpen = shown;
    panel.hidden = !shown;
    button.setAttribute('aria-expanded', String(shown));
    line.setAttribute('d', shown ? CROSS : CHAT);
    cover();
    if (shown) frame.focus();
    else if (hadFocus) button.focus();
    postShown();
  };

  const askForToken = async (request: number): Promise<void> => {
    let answer: TokenAnswer = 'failed';
    try {
      const given = window.parleyToken ? await window.parleyToken() : token;
      if (given === null) answer = 'nobody';
      else if (typeof given === 'string') answer = { token: given };
      else if (typeof given?.token === 'string') answer = given;
      else say('no token: set data-token, or have window.parleyToken return one');
    } catch (error) {
      say('window.parleyToken failed', error);
    }
    post({ kind: 'token', request, answer });
  };

  const onMessage = ({ source, origin, data }: MessageEvent<ToPage>): void => {
    if (source !== frame.contentWindow || origin !== service) return;
    if (data.kind === 'token') {
      isThere = true;
      // A document that was loaded again does not know it.
      postShown();
      void askForToken(data.request);
    }
    if (data.kind === 'close' || data.kind === 'hide') show(false);
    if (data.kind === 'hide') button.hidden = true;
    if (data.kind !== 'button') return;
    button.hidden = false;
    button.setAttribute('aria-label', data.label);
    badge.hidden = data.unread === 0;
    badge.textContent = data.unread > 99 ? '99+' : String(data.unread);
    panel.setAttribute('aria-label', data.title);
    frame.title = data.title;
    host.style.setProperty('--accent', data.accent);
    host.style.setProperty('--ink', data.accentInk);
    if (isWanted) show(true);
  };
  line.setAttribute('d', CHAT);
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => show(!isOpen));
  button.addEventListener('keydown', ({ key }) => key === 'Escape' && show(false));
  window.addEventListener('message', onMessage);
  phone.addEventListener('change', cover);
  frame.addEventListener('load', () => {
    setTimeout(() => {
      if (!isThere && host.isConnected)
        say(
          `the chat did not open. If ${service} refused to be shown here, add ${location.origin} to its WIDGET_ORIGINS.`,
        );
    }, PATIENCE_MS);
  });
  const start = (): void => document.body.append(host);
  if (document.readyState === 'complete') start();
  else window.addEventListener('load', start);

  window.Parley = {
    open() {
      show(true);
      // Somebody may have signed in.
      if (isWanted) renew();
    },
    close: () => show(false),
    renew,
    remove() {
      show(false);
      phone.removeEventListener('change', cover);
      window.removeEventListener('load', start);
      window.removeEventListener('message', onMessage);
      host.remove();
      delete window.Parley;
    },
  };
}

if (document.currentScript instanceof HTMLScriptElement) load(document.currentScript);
else say('the script must be a classic one, without type="module"');
