import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import { codeToTokensBase, createShikiPrimitiveAsync, type ShikiPrimitive } from '@shikijs/primitive';
import { type Html, html } from '@parley/server/transport/docs/html.ts';
import { colorNames } from '@parley/web/markdown/highlight/colors.ts';
import { grammars } from '@parley/web/markdown/highlight/grammars.ts';
import { languageOf } from '@parley/web/markdown/highlight/code-languages.ts';
import { colorOf, theme } from '@parley/web/markdown/highlight/theme.ts';

/** Colours code as the web app does, with the same grammars. */
export class CodeColors {
  readonly #shiki: ShikiPrimitive;

  private constructor(shiki: ShikiPrimitive) {
    this.#shiki = shiki;
  }

  static async load(): Promise<CodeColors> {
    const engine = createJavaScriptRegexEngine({ forgiving: true });
    return new CodeColors(await createShikiPrimitiveAsync({ themes: [theme], langs: [], engine }));
  }

  /** A block of code whose language is named by the text after its fence. */
  async block(code: string, info: string): Promise<Html> {
    const language = languageOf(info);
    const load = language === undefined ? undefined : grammars[language];
    if (language === undefined || !load)
      return html`<div class="code">
        <pre tabindex="0"><code>${code}</code></pre>
      </div>`;
    if (!this.#shiki.getLoadedLanguages().includes(language)) await this.#shiki.loadLanguage(...(await load()).default);
    const lines = codeToTokensBase(this.#shiki, code, { lang: language, theme: theme.name });
    const colored = lines.flatMap((tokens, at) => [
      ...tokens.map(({ content, color }) => piece(content, colorOf(color))),
      html`${at < lines.length - 1 ? '\n' : ''}`,
    ]);
    return html`<div class="code">
      <pre tabindex="0"><code>${colored}</code></pre>
    </div>`;
  }
}

const piece = (text: string, color: number): Html =>
  color === 0 || text.trim() === '' ? html`${text}` : html`<span class="${colorNames[color] ?? ''}">${text}</span>`;
