import 'katex/dist/katex.min.css';
import { render } from 'katex';

/** Draws a formula. Throws if it is not LaTeX that KaTeX knows. Links, images and styles of its own are refused. */
export const drawFormula = (tex: string, isDisplay: boolean, element: HTMLElement): void =>
  render(tex, element, {
    displayMode: isDisplay,
    throwOnError: true,
    strict: 'ignore',
    trust: false,
    // The colour of commands that are not trusted.
    errorColor: 'currentcolor',
    maxExpand: 500,
    maxSize: 20,
  });
