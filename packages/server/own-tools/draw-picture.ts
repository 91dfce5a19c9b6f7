import type { Run } from './own-tools.ts';
import { argumentsOf } from './tool-arguments.ts';

/** Draws a picture for the reply (OWN-16). */
export const drawPicture: Run = async ({ pictures }, sent, signal) => {
  const { prompt, size } = argumentsOf('draw_picture', sent);
  return pictures.draw(sent, { prompt, size }, signal);
};
