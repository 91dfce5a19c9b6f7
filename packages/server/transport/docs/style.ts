/** Served at /docs/style.css. */
export const style = `:root {
  color-scheme: light dark;
  --ground: light-dark(#fff, #14161a);
  --raised: light-dark(#f5f6f8, #1c1f25);
  --line: light-dark(#dfe2e8, #2d323b);
  --text: light-dark(#1c1f26, #e4e6ea);
  --quiet: light-dark(#5b6270, #9aa2b1);
  --link: light-dark(#0b57c9, #82b1ff);
  --name: light-dark(#7a2e8c, #d9a5ea);
  --string: light-dark(#1a6b34, #96d5a6);
}
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
.docs nav {
  position: sticky;
  top: 0;
  height: 100vh;
  overflow-y: auto;
  padding: 1.5rem;
  background: var(--raised);
  border-right: 1px solid var(--line);
  font-size: 0.875rem;
}
.docs nav .name { color: inherit; font-size: 1.15rem; font-weight: 700; }
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
  .docs nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); }
}
`;
