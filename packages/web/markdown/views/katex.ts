import 'katex/dist/katex.min.css';
import { render } from 'katex';

/**
 * Commands that define others: their expansion would be bounded only by its number of steps, not by its length. And
 * those whose drawing has a `style` attribute in MathML, which the page's policy refuses.
 */
const REFUSED =
  /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|global|long|fcolorbox|colorbox)(?![A-Za-z])/;

/** Draws a formula. Throws if it is not LaTeX that KaTeX knows. Links, images and definitions are refused. */
export function drawFormula(tex: string, isDisplay: boolean, element: HTMLElement): void {
  if (REFUSED.test(tex)) throw new Error('a formula defines nothing');
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
}
