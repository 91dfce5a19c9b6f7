/** Bars of the browser are lower than this, on-screen keyboards higher. */
const KEYBOARD_PX = 120;

/**
 * Keeps the app above the on-screen keyboard in browsers that lay it over the page, as Safari does on phones: `--page-height`
 * becomes what is left, and the page, which such a browser moves up, returns to its place (WEB-421). Where the keyboard
 * makes the page itself smaller (`interactive-widget` in index.html), there is nothing to do.
 */
export function followKeyboard(): void {
  const view = window.visualViewport;
  const page = document.documentElement;
  const follow = (): void => {
    // While the user has zoomed in, the view is smaller than the page too: what was found before holds.
    if (!view || view.scale !== 1) return;
    const isCovered = page.clientHeight - view.height > KEYBOARD_PX;
    if (!isCovered) return void page.style.removeProperty('--page-height');
    page.style.setProperty('--page-height', `${view.height}px`);
    return window.scrollTo(0, 0);
  };
  // Such a browser also moves the page when the focus goes to another field.
  for (const type of ['resize', 'scroll']) view?.addEventListener(type, follow);
}
