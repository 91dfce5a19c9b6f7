import type { Page } from 'playwright-core';

/** A second of video or sound, recorded by the page's browser. */
export async function recorded(page: Page, kind: 'video' | 'audio'): Promise<Buffer> {
  const base64 = await page.evaluate(async (what) => {
    let stream: MediaStream;
    if (what === 'video') {
      const canvas = document.createElement('canvas');
      const paint = canvas.getContext('2d');
      let at = 0;
      const draw = () => paint?.fillRect((at += 3), 0, 30, 30);
      setInterval(draw, 40);
      stream = canvas.captureStream(25);
    } else {
      const context = new AudioContext();
      const tone = context.createOscillator();
      const out = context.createMediaStreamDestination();
      tone.connect(out);
      tone.start();
      stream = out.stream;
    }
    const recorder = new MediaRecorder(stream, { mimeType: `${what}/webm` });
    const parts: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.start();
    setTimeout(() => recorder.stop(), 1_000);
    await ended;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  }, kind);
  return Buffer.from(base64, 'base64');
}
