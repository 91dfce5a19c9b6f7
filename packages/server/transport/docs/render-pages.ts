import type { GuideSection } from '../guide.ts';
import { asyncApi } from '../asyncapi.ts';
import { openApi } from '../openapi.ts';
import { frontPage, joinPage } from './layout.ts';
import { llmsTxt } from './llms-txt.ts';
import { markdownOf } from './markdown.ts';
import { docsPage } from './page.ts';
import { style } from './style.ts';

/** Stands for the service's address in what is rendered. */
export const SOME_ORIGIN = 'https://parley.invalid';

/** The text of every document. In one, `SOME_ORIGIN` stands for the address at which it is read. */
export function renderPages(guide: readonly GuideSection[]): Record<string, string> {
  const docs = docsPage(SOME_ORIGIN, guide.length > 0);
  return {
    '/': frontPage(),
    '/join/:token': joinPage(),
    '/docs': docs,
    '/docs.md': markdownOf(docs, SOME_ORIGIN),
    '/llms.txt': llmsTxt(SOME_ORIGIN, guide),
    '/docs/style.css': style,
    '/openapi.json': JSON.stringify(openApi()),
    '/asyncapi.json': JSON.stringify(asyncApi()),
  };
}
