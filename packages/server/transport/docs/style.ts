import { colors } from './colors.ts';

/** Served at /docs/style.css. */
export const style = `${colors}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 16px/1.55 system-ui, sans-serif;
}
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: 0.875em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
:not(pre) > code { overflow-wrap: anywhere; }
td:nth-child(-n + 2) > code { overflow-wrap: normal; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
main h2 { font-size: 1.45rem; margin: 3.5rem 0 1rem; }
main > section > h2 { margin-top: 2.5rem; }
h3 { font: 600 1.15rem ui-monospace, 'SF Mono', Menlo, Consolas, monospace; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
h3 a { color: inherit; }
h4 { color: var(--quiet); font-size: 0.8rem; letter-spacing: 0.04em; text-transform: uppercase; margin: 1.5rem 0 0.4rem; }
p { margin: 0.5rem 0; max-width: 46rem; }

.front main { max-width: 38rem; margin: 12vh auto; padding: 0 1.5rem; }

.docs { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
.top {
  position: sticky;
  top: 0;
  z-index: 1;
  grid-column: 1 / -1;
  display: flex;
  align-items: center;
  gap: 1.25rem;
  min-height: 3.5rem;
  padding: 0.5rem 1.5rem;
  background: var(--ground);
  border-bottom: 1px solid var(--line);
}
html:has(.docs) { scroll-padding-top: 4.5rem; }
.name { display: flex; align-items: center; gap: 0.5rem; margin-inline-end: auto; color: inherit; font-weight: 700; white-space: nowrap; }
.top button { display: none; padding: 0.3rem 0.7rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; color: inherit; font: inherit; }
#contents {
  display: block;
  position: sticky;
  inset: auto;
  top: 3.5rem;
  width: auto;
  height: calc(100vh - 3.5rem);
  margin: 0;
  padding: 1.5rem;
  overflow-y: auto;
  color: inherit;
  background: var(--raised);
  border: 0;
  border-inline-end: 1px solid var(--line);
  font-size: 0.875rem;
}
.docs nav h2 { color: var(--quiet); font-size: 0.8rem; margin: 1.25rem 0 0.25rem; }
.docs nav ul { list-style: none; margin: 0; padding: 0; }
.docs nav li a { display: block; padding: 0.1rem 0; overflow-wrap: anywhere; }
.docs main { padding: 2.5rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 84rem; }
.docs section { padding: 1.75rem 0; border-top: 1px solid var(--line); }
.docs section:target { border-top-color: var(--link); }
.route { color: var(--quiet); }
.route span { display: block; font-size: 0.875rem; }

.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 500; }
td:nth-child(n + 3) { color: var(--quiet); }
td:nth-child(4) { min-width: 16rem; }

pre {
  margin: 0.5rem 0;
  padding: 0.85rem 1rem;
  max-height: 26rem;
  overflow: auto;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 6px;
}
pre b { color: var(--name); font-weight: inherit; }
pre i { color: var(--string); font-style: inherit; }
.samples { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 0 1rem; margin-top: 1.25rem; }
figure { margin: 0; min-width: 0; }
figcaption, summary { color: var(--quiet); font-size: 0.875rem; }
summary { cursor: pointer; }

@media (max-width: 50rem) {
  .docs { display: block; }
  .docs .top { gap: 0.9rem; padding: 0.5rem 1rem; }
  .docs .top button { display: block; }
  .docs .name { font-size: 0; }
  .docs #contents:not(:popover-open) { display: none; }
  .docs #contents:popover-open {
    position: fixed;
    inset: 0 auto 0 0;
    width: min(20rem, 85vw);
    height: 100vh;
    box-shadow: 0 0 40px #0006;
  }
}
`;
