/** The colours of the app, as far as the service's own pages use them: the same in light and dark. */
export const colors = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f5f1, #171815);
  --raised: light-dark(#ffffff, #1f201d);
  --line: light-dark(#e4e0d8, #33352f);
  --text: light-dark(#1d1c1a, #edebe4);
  --quiet: light-dark(#5d5a54, #a9a79e);
  --link: light-dark(#1f6f5c, #6fcbb2);
  --name: light-dark(#8b2f63, #f19cc4);
  --string: light-dark(#1c6b45, #8fd0a3);
}`;
