// The messages between a page of another site and the widget's frame on it. The page's side is the script load-widget.ts,
// the frame's is host.ts; they share only these types.

export interface GivenToken {
  readonly token: string;
  /** When it expires, as createUserToken says; without it the token is used until the service refuses it. */
  readonly expires_at?: string;
}

/** From the page to the frame. */
export type ToFrame =
  /** The answer to `token`: null if the page could not get one. */
  | { readonly kind: 'token'; readonly given: GivenToken | null }
  /** The panel was opened or closed. */
  | { readonly kind: 'shown'; readonly isOpen: boolean };

/** From the frame to the page. */
export type ToPage =
  /** Asks for a token. */
  | { readonly kind: 'token' }
  /** How the button looks, and what screen readers say; the first one shows the button. */
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
  /** The user closed the panel from within. */
  | { readonly kind: 'close' };
