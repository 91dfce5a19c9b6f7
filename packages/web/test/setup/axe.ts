import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/**
 * Serious and critical findings of axe. Evaluated through the debugger, because the page's policy forbids scripts.
 * `rules`: the rules to check, all by default.
 */
export async function findings(page: Page | Frame, rules?: string[]): Promise<string[]> {
  await page.evaluate(source);
  const found = await page.evaluate(async (values) => {
    // A colour that still changes, as after a change of the theme, is neither of its two. What inherits a colour that
    // changes may begin a change of its own when that one ends.
    for (;;) {
      await new Promise(requestAnimationFrame);
      const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      if (changes.length === 0) break;
      await Promise.allSettled(changes.map(({ finished }) => finished));
    }
    // axe was evaluated in the line above.
    const { axe } = window as unknown as {
      axe: { run: (context: object, options: object) => Promise<{ violations: Finding[] }> };
    };
    // A menu's focus guards are hidden but focusable: they pass the focus on immediately.
    const options = values ? { runOnly: { type: 'rule', values } } : {};
    return (await axe.run({ exclude: '[data-base-ui-focus-guard]' }, options)).violations;
  }, rules);
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary}`),
    );
}
