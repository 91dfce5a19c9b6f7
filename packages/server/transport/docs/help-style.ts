import { colors } from './colors.ts';

/** Served at /help/style.css. */
export const helpStyle = `${colors}
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
header {
  position: sticky;
  top: 0;
  display: flex;
  align-items: center;
  gap: 1rem;
  padding: 0.6rem max(1rem, calc(50vw - 24rem));
  background: var(--ground);
  border-bottom: 1px solid var(--line);
}
.name { display: flex; align-items: center; gap: 0.5rem; color: inherit; font-weight: 700; text-decoration: none; }
.languages { display: flex; gap: 0.9rem; margin-inline-start: auto; overflow-x: auto; font-size: 0.875rem; scrollbar-width: none; }
.languages a { padding: 0.3rem 0; white-space: nowrap; text-decoration: none; }
.languages a[aria-current] { color: var(--text); font-weight: 600; }
main { max-width: 50rem; margin: 0 auto; padding: 1rem 1rem 5rem; }
h1 { margin: 1rem 0; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 3rem 0 1rem; font-size: 1.4rem; }
h3 { margin: 0 0 0.3rem; font-size: 1.05rem; }
p { margin: 0.3rem 0; }
.sections { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0; padding: 0; list-style: none; }
.sections a {
  display: block;
  padding: 0.4rem 0.9rem;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 99px;
  text-decoration: none;
}
article { margin: 0 0 0.75rem; padding: 1rem 1.2rem; background: var(--raised); border: 1px solid var(--line); border-radius: 12px; }
article:target { border-color: var(--link); }
.open {
  display: inline-block;
  margin-top: 0.4rem;
  padding: 0.35rem 1rem;
  background: var(--link);
  border-radius: 8px;
  color: var(--ground);
  text-decoration: none;
}
img { display: block; width: 100%; height: auto; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 12px; }
@media (max-width: 40rem) { .name { font-size: 0; } }
`;
