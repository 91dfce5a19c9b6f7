import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Plugin, transformWithOxc } from 'vite';
import { extraFiles } from './extra-files.ts';

const frameSource = `${import.meta.dirname}/diagrams/frame.ts`;
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Diagrams</title>
<script src="mermaid.js"></script>
<script src="frame.js"></script>
</html>
`;

/**
 * The page in which diagrams are drawn. Its scripts are classic ones: the page has an opaque origin, from which a
 * browser loads modules only with CORS.
 */
export const diagramFiles = (): Plugin =>
  extraFiles('diagram-files', 'DIAGRAM_PLACE', async () => {
    const library = readFileSync(createRequire(import.meta.url).resolve('@mermaid-js/tiny'), 'utf8');
    const { code } = await transformWithOxc(readFileSync(frameSource, 'utf8'), frameSource);
    const files = new Map([
      ['frame.html', page],
      // Without imports it is no module, but the compiler marks it as one.
      ['frame.js', code.replace(/^export \{\s*\};?$/m, '')],
      ['mermaid.js', library],
    ]);
    const version = hash('sha256', JSON.stringify([...files])).slice(0, 12);
    return { place: `assets/diagrams-${version}`, files };
  });
