// Runs before the page is painted: theme and direction as the app will have them, and whether somebody is signed in.
(() => {
  const { documentElement: root } = document;
  let kept = {};
  try {
    kept = Object.fromEntries(Object.entries(localStorage));
  } catch {
    // A browser that refuses its storage.
  }
  const theme = kept['parley.theme'];
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const language = kept['parley.language'] || navigator.language;
  if (RIGHT_TO_LEFT.includes(language.split('-')[0])) root.dir = 'rtl';
  if (kept['parley.token']) root.dataset.opening = 'app';
})();
