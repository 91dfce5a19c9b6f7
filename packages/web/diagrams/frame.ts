// A classic script, which runs after Mermaid in a sandboxed page of its own and draws what the app sends (WEB-176). It
// imports nothing but types.
import type { DiagramReply, DiagramRequest } from './messages.ts';

interface Mermaid {
  initialize(config: object): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}
declare const mermaid: Mermaid;

let drawings = 0;

async function drawDiagram({ source, isDark }: DiagramRequest): Promise<DiagramReply> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    // Grey: the other themes have colours that the app does not have.
    theme: isDark ? 'dark' : 'neutral',
    // Labels in HTML are not drawn everywhere in an image.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    fontFamily: 'system-ui, sans-serif',
  });
  drawings += 1;
  const { svg } = await mermaid.render(`diagram-${drawings}`, source);
  const holder = document.createElement('div');
  holder.innerHTML = svg;
  const drawing = holder.querySelector('svg');
  const { width = 0, height = 0 } = drawing?.viewBox.baseVal ?? {};
  if (!drawing || width <= 0 || height <= 0) return null;
  // An image needs a size of its own.
  drawing.setAttribute('width', String(width));
  drawing.setAttribute('height', String(height));
  return { svg: new XMLSerializer().serializeToString(drawing), width, height };
}

addEventListener('message', ({ source, data, ports: [port] }: MessageEvent<DiagramRequest>) => {
  if (source !== parent || !port) return;
  void drawDiagram(data)
    .catch(() => null)
    .then((reply) => port.postMessage(reply));
});
