import { style as apiStyle } from '@parley/server/transport/docs/style.ts';

/** The style of the pages of the API, and what the guide adds: a header, two columns beside the text, colours of code. */
export const style = `${apiStyle}
.guide {
  --comment: light-dark(#6a655c, #9a988e);
  --constant: light-dark(#96420b, #f0b27a);
  --keyword: light-dark(#8b2f63, #f19cc4);
  --function: light-dark(#1f5c92, #8ec3f5);
  --type: light-dark(#5a4aa8, #c0b2f7);
  display: grid;
  grid-template-columns: 16rem minmax(0, 1fr);
  grid-template-rows: auto 1fr;
  min-height: 100vh;
}
html:has(.guide) { scroll-padding-top: 4.5rem; }
.guide .skip { position: absolute; left: -100vw; z-index: 3; padding: 0.5rem; background: var(--ground); }
.guide .skip:focus { left: 0.5rem; top: 0.5rem; }
.guide > header {
  position: sticky;
  top: 0;
  z-index: 2;
  grid-column: 1 / -1;
  display: flex;
  align-items: center;
  gap: 1rem;
  min-height: 3.5rem;
  padding: 0.5rem 1.5rem;
  background: var(--ground);
  border-bottom: 1px solid var(--line);
}
.guide header button { display: none; }
.guide header button, .guide input {
  font: inherit;
  color: inherit;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 6px;
  padding: 0.3rem 0.7rem;
}
.guide form { position: relative; flex: 1; max-width: 26rem; }
.guide form[hidden] { display: block; visibility: hidden; }
.guide input { width: 100%; }
.guide input::placeholder { color: var(--quiet); opacity: 1; }
.guide .results {
  position: absolute;
  inset-inline-end: 0;
  top: calc(100% + 0.4rem);
  width: min(34rem, 92vw);
  max-height: 75vh;
  overflow-y: auto;
  background: var(--ground);
  border: 1px solid var(--line);
  border-radius: 8px;
  box-shadow: 0 8px 28px light-dark(#0003, #000a);
}
.guide .results p { margin: 0; padding: 0.5rem 1rem; color: var(--quiet); font-size: 0.875rem; }
.guide .results ul { list-style: none; margin: 0; padding: 0; }
.guide .results a { display: block; padding: 0.5rem 1rem; border-top: 1px solid var(--line); color: inherit; }
.guide .results a:is(:hover, :focus) { background: var(--raised); text-decoration: none; }
.guide .results span { display: block; color: var(--quiet); font-size: 0.85rem; overflow-wrap: anywhere; }
.guide #contents { padding: 1rem 1.5rem; font-size: 0.9rem; }
.guide nav h2 { color: var(--quiet); font-size: 0.8rem; line-height: 1.4; margin: 1.25rem 0 0.35rem; }
.guide nav h2:first-child { margin-top: 0; }
.guide nav ul { list-style: none; margin: 0; padding: 0; }
.guide nav li a { display: block; padding: 0.2rem 0; color: var(--text); }
.guide nav a[aria-current] { color: var(--link); font-weight: 600; }
.guide main { min-width: 0; max-width: 54rem; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem; }
.guide main:focus { outline: none; }
.guide main :is(p, li) { max-width: 46rem; }
.guide main h2 { margin: 2.75rem 0 0.75rem; }
.guide main h3 { font: 600 1.15rem/1.4 system-ui, sans-serif; margin: 2rem 0 0.5rem; }
.guide main a { text-decoration: underline; text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
.guide main h1 a, .guide .anchor, .guide footer a { text-decoration: none; }
.guide .anchor { margin-inline-start: 0.4em; color: var(--quiet); opacity: 0; }
.guide :is(h2, h3, h4):hover .anchor, .guide .anchor:focus { opacity: 1; }
.guide main img { max-width: 100%; height: auto; }
.guide main :is(ul, ol) { padding-inline-start: 1.4rem; }
.guide li { margin: 0.25rem 0; }
.guide td { color: var(--text); }
.guide blockquote { margin: 0.75rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--quiet); }
.guide pre { max-height: none; tab-size: 2; }
.guide .code { position: relative; }
.guide .code button {
  position: absolute;
  inset-block-start: 0.4rem;
  inset-inline-end: 0.4rem;
  padding: 0.15rem 0.6rem;
  font: inherit;
  font-size: 0.8rem;
  color: var(--quiet);
  background: var(--ground);
  border: 1px solid var(--line);
  border-radius: 6px;
}
@media (hover: hover) {
  .guide .code button { opacity: 0; }
  .guide .code:hover button, .guide .code button:focus { opacity: 1; }
}
.guide :not(pre) > code { padding: 0.1em 0.3em; background: var(--raised); border-radius: 4px; }
.guide pre .comment { color: var(--comment); }
.guide pre .string { color: var(--string); }
.guide pre .constant { color: var(--constant); }
.guide pre .keyword { color: var(--keyword); }
.guide pre .function { color: var(--function); }
.guide pre .type { color: var(--type); }
.guide aside { display: none; }
.guide footer { display: flex; gap: 1rem; margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.guide footer a { display: block; }
.guide footer span { display: block; color: var(--quiet); font-size: 0.8rem; }
.guide footer .next { margin-inline-start: auto; text-align: end; }

@media (min-width: 80rem) {
  .guide { grid-template-columns: 16rem minmax(0, 1fr) 15rem; }
  .guide aside {
    display: block;
    position: sticky;
    top: 3.5rem;
    height: calc(100vh - 3.5rem);
    overflow-y: auto;
    padding: 2rem 1rem;
    font-size: 0.85rem;
  }
  .guide aside a { color: var(--quiet); }
  .guide aside .level-3 { padding-inline-start: 0.8rem; }
}
@media (max-width: 50rem) {
  .guide { display: block; }
  .guide > header { gap: 0.75rem; padding: 0.5rem 1rem; }
  .guide header button { display: block; }
  .guide .name { font-size: 0; }
  .guide form { position: static; }
  .guide .results { inset-inline: 0.5rem; top: 3.4rem; width: auto; }
  #contents:not(:popover-open) { display: none; }
  #contents:popover-open {
    position: fixed;
    inset: 0 auto 0 0;
    width: min(20rem, 85vw);
    height: 100vh;
    border-inline-end: 1px solid var(--line);
    box-shadow: 0 0 40px #0006;
  }
}
`;
