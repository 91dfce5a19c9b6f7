// Evaluated in the sandbox before the code of a model: it makes what that code finds there. As part of the sandbox it is
// as little trusted as that code; the service checks whatever it passes on.
// One expression, a function, which finds nothing of this file's surroundings:
// oxlint-disable no-unused-expressions, unicorn/consistent-function-scoping, typescript/no-floating-promises
// oxlint-disable typescript/no-unnecessary-type-conversion
(function install({ log, read, save, names }) {
  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (typeof value !== 'object' || value === null) return String(value);
    const seen = new Set();
    try {
      const text = JSON.stringify(value, (_, one) => {
        if (typeof one === 'bigint') return `${one}n`;
        if (typeof one === 'function') return '[function]';
        if (ArrayBuffer.isView(one)) return Array.from(one);
        if (one instanceof Map) return { Map: [...one] };
        if (one instanceof Set) return { Set: [...one] };
        if (typeof one === 'object' && one !== null) {
          if (seen.has(one)) return '[seen before]';
          seen.add(one);
        }
        return one;
      });
      return text ?? String(value);
    } catch {
      return Object.prototype.toString.call(value);
    }
  };
  const print = (...values) => log(values.map(shown).join(' '));

  /** The rows of a text of comma-separated values (RFC 4180): objects by the first row, or arrays. */
  const parseCsv = (text, { separator, header = true } = {}) => {
    const source = String(text).replace(/^\uFEFF/, '');
    const [first = ''] = source.split('\n', 1);
    const count = (sign) => first.split(sign).length;
    const by = separator ?? [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
    const rows = [];
    let row = [];
    let at = 0;
    while (at < source.length) {
      let value = '';
      if (source[at] === '"') {
        at += 1;
        for (;;) {
          const end = source.indexOf('"', at);
          if (end < 0) {
            value += source.slice(at);
            at = source.length;
            break;
          }
          value += source.slice(at, end);
          at = end + 1;
          if (source[at] !== '"') break;
          value += '"';
          at += 1;
        }
      }
      const start = at;
      while (at < source.length && source[at] !== by && source[at] !== '\n' && source[at] !== '\r') at += 1;
      row.push(value + source.slice(start, at));
      if (source[at] === by) {
        at += 1;
        if (at === source.length) row.push('');
        continue;
      }
      rows.push(row);
      row = [];
      if (source[at] === '\r') at += 1;
      if (source[at] === '\n') at += 1;
    }
    if (row.length > 0) rows.push(row);
    const filled = rows.filter((one) => one.length > 1 || one[0] !== '');
    if (!header) return filled;
    const [keys = [], ...others] = filled;
    return others.map((one) => Object.fromEntries(keys.map((key, place) => [key.trim(), one[place] ?? ''])));
  };

  /** An SVG of a chart, from an option of ECharts. */
  const chart = (option, { width = 800, height = 480 } = {}) => {
    const drawn = globalThis.echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
    try {
      drawn.setOption({ backgroundColor: '#fff', ...option, animation: false });
      return drawn.renderToSVGString();
    } finally {
      drawn.dispose();
    }
  };

  const bytesOf = (content) => {
    if (typeof content === 'string' || content instanceof ArrayBuffer) return content;
    if (ArrayBuffer.isView(content))
      return content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength);
    return shown(content);
  };

  const made = {
    console: { log: print, info: print, warn: print, error: print, debug: print, table: print },
    files: Object.freeze([...names]),
    readText: (name) => read(String(name), true),
    readBytes: (name) => new Uint8Array(read(String(name), false)),
    saveFile: (name, content, alt = '') => save(String(name), bytesOf(content), String(alt).slice(0, 1_000)),
    parseCsv,
    chart,
    // Nothing in the sandbox takes time, so there is nothing to wait for.
    setTimeout: (run, _, ...given) => {
      Promise.resolve().then(() => run(...given));
      return 0;
    },
    clearTimeout: () => undefined,
  };
  for (const [name, value] of Object.entries(made))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  return shown;
});
