// A classic script, which runs after Mermaid in a sandboxed page of its own and draws what the app sends (WEB-176). It
// imports nothing but types.
import type { DiagramReply, DiagramRequest } from './messages.ts';

interface Mermaid {
  initialize(config: object): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}
declare const mermaid: Mermaid;

/** The app's colours (styles/tokens.css), which the frame does not load. */
const palette = (darkMode: boolean, [ground, raised, sunk, line, ink, accent, soft, note]: readonly string[]) => ({
  darkMode,
  background: ground,
  // Borders in one colour.
  useGradient: false,
  mainBkg: soft,
  primaryColor: soft,
  primaryTextColor: ink,
  primaryBorderColor: accent,
  secondaryColor: note,
  secondaryTextColor: ink,
  tertiaryColor: sunk,
  tertiaryTextColor: ink,
  tertiaryBorderColor: line,
  clusterBkg: sunk,
  clusterBorder: line,
  edgeLabelBackground: raised,
  lineColor: ink,
  textColor: ink,
  titleColor: ink,
  noteBkgColor: note,
  noteTextColor: ink,
  noteBorderColor: line,
});
const light = palette(false, ['#ffffff', '#ffffff', '#efece6', '#cdc7bb', '#1d1c1a', '#1f6f5c', '#e1efe9', '#fbf0da']);
const dark = palette(true, ['#1f201d', '#282a26', '#121310', '#4a4d45', '#edebe4', '#6fcbb2', '#23352f', '#3a2f1a']);

let drawings = 0;

async function drawDiagram({ source, isDark }: DiagramRequest): Promise<DiagramReply> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    // The other themes have colours that the app does not have.
    theme: 'base',
    themeVariables: isDark ? dark : light,
    // Shadows are drawn in colours that no variable sets.
    themeCSS: '*{filter:none!important}',
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
