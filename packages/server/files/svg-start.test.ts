import { expect, test } from 'vitest';
import { isSvgStart } from './svg-start.ts';

test('FILE-39: an SVG begins with its element, perhaps after a declaration, comments and a document type', () => {
  const type = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
  for (const start of [
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '\uFEFF <?xml version="1.0"?>\n<!-- made by --> <!-- hand -->\n<svg>',
    `<?xml version="1.0"?>${type}\n<svg width="1">`,
  ])
    expect([start, isSvgStart(start)]).toEqual([start, true]);
  for (const start of [
    '',
    'see <svg>',
    '<svgs>',
    '<html><svg>',
    '<!-- <svg>',
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg>',
    '<!DOCTYPE html><svg>',
  ])
    expect([start, isSvgStart(start)]).toEqual([start, false]);
});
