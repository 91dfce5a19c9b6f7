// The messages between a page of another site and the widget's frame on it. The page's side is the script load-widget.ts,
// the frame's is host.ts; they share only these types.

export interface GivenToken {
  readonly token: string;
  /** When it expires, as createUserToken says; without it the token is used until the service refuses it. */
  readonly expires_at?: string;
}

/** What the page answers when it is asked for a token. `nobody`: no user is signed in there. */
export type TokenAnswer = GivenToken | 'nobody' | 'failed';

/** From the page to the frame. */
export type ToFrame =
  /** The answer to the request with this number. */
  | { readonly kind: 'token'; readonly request: number; readonly answer: TokenAnswer }
  /** A user may have signed in or out: the frame asks for a token. */
  | { readonly kind: 'renew' }
  /** Whether the panel is open. */
  | { readonly kind: 'shown'; readonly isOpen: boolean };

/** From the frame to the page. */
export type ToPage =
  /** Asks for a token; each document in the frame does it first. */
  | { readonly kind: 'token'; readonly request: number }
  /** How the button looks, and what screen readers say; this shows the button. */
  | {
      readonly kind: 'button';
      readonly label: string;
      readonly unread: number;
      /** The accessible name of the panel. */
      readonly title: string;
      /** Colours, as CSS. */
      readonly accent: string;
      readonly accentInk: string;
    }
  /** Nobody is signed in: hides the button and the panel. */
  | { readonly kind: 'hide' }
  /** The user closed the panel from within. */
  | { readonly kind: 'close' };
