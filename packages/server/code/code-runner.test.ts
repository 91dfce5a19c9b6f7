import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ManualClock } from '@parley/testing';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { confinedCode } from './code-confinement.ts';
import { type CodeInput, codeLimits, type CodeOutcome } from './code-limits.ts';
import { CodeBusy, CodeRunner } from './code-runner.ts';
import { startCodeProcess } from './start-code-process.ts';

const never = new AbortController().signal;
/** Time for code that ends by itself, however busy the machine is. */
const ENDS = { atOnce: 2, runMs: 120_000 };
/** Time for code that would never end. */
const SHORT = { atOnce: 2, runMs: 300 };

function runnerWith(limits = ENDS, clock = new ManualClock()): CodeRunner {
  const runner = new CodeRunner(clock, limits);
  onTestFinished(() => runner.close());
  return runner;
}

const run = (code: string, files: CodeInput[] = [], limits = ENDS): Promise<CodeOutcome> =>
  runnerWith(limits).run({ code, files }, 1, never);
const input = (name: string, text: string): CodeInput => ({ name, bytes: Buffer.from(text) });

/** Processes that were started by this one, as far as the system shows them. */
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]) === pid
          ? [Number(name)]
          : [];
      } catch {
        return [];
      }
    });

test('CODE-1: what code prints and returns is its text, and what it throws, with the line', async () => {
  expect(await run('console.log("a", 1, { b: [2n] });\nreturn new Map([[1, 2]]);')).toEqual({
    end: 'done',
    text: 'a 1 {"b":["2n"]}\nReturned: {"Map":[[1,2]]}\n',
    files: [],
  });
  expect(await run('console.log("so far");\n\nnope()')).toEqual({
    end: 'threw',
    text: 'so far\nReferenceError: nope is not defined (line 3)\n',
    files: [],
  });
  expect(await run('syntax error here')).toMatchObject({ end: 'threw', text: expect.stringMatching(/^SyntaxError: /) });
  expect(await run('throw { a: 1 }')).toMatchObject({ end: 'threw', text: 'Thrown: {"a":1}\n' });
  expect(await run('await new Promise(() => {})')).toMatchObject({
    end: 'threw',
    text: expect.stringMatching(/never happens/),
  });
  expect(await run('return await new Promise((done) => setTimeout(done, 60_000, "ok"))')).toMatchObject({
    end: 'done',
    text: 'Returned: ok\n',
  });
});

const endless: Record<string, string> = {
  'a loop': 'while (true) {}',
  'a loop that catches': 'for (;;) { try { for (;;); } catch {} finally { continue; } }',
  'a catastrophic RegExp': 'return /^(a+)+$/.test("a".repeat(60) + "b")',
  'a loop of awaits': 'for (;;) await 1',
  'a flood of promises':
    'const again = () => Promise.resolve().then(again); again(); again(); await new Promise(() => {})',
  'an error whose name never ends': 'throw Object.defineProperty(new Error("x"), "name", { get() { for (;;); } })',
  'a value that never ends': 'return { toJSON() { for (;;); } }',
  'a proxy that never ends': 'console.log(new Proxy({}, { get() { for (;;); }, ownKeys() { for (;;); } }))',
  'output without an end': 'for (;;) console.log("x".repeat(1000))',
};
for (const [name, code] of Object.entries(endless))
  test(`CODE-4: ${name} is stopped when its time is up`, async () => {
    const { end, text, files } = await run(code, [], SHORT);
    expect({ end, files }).toEqual({ end: 'timeout', files: [] });
    expect(Buffer.byteLength(text)).toBeLessThan(codeLimits.textBytes + 200);
  });

const bombs: Record<string, { code: string; end: CodeOutcome['end'][] }> = {
  arrays: { code: 'const all = []; for (;;) all.push(new Array(1e5).fill(1))', end: ['memory'] },
  bytes: { code: 'const all = []; for (;;) all.push(new Uint8Array(1e7))', end: ['memory'] },
  'shared bytes': { code: 'const all = []; for (;;) all.push(new SharedArrayBuffer(1e7))', end: ['memory'] },
  'bytes that are kept by a catch': {
    code: 'const all = []; for (;;) { try { all.push(new Uint8Array(1e7)); } catch { return all.length; } }',
    end: ['done'],
  },
  'a long text': { code: 'let text = "x"; for (;;) text += text', end: ['memory', 'threw'] },
  'a text of a gigabyte': { code: 'return "x".repeat(2 ** 30 - 1)', end: ['memory', 'threw'] },
  'a huge integer': { code: 'return 2n ** (2n ** 40n)', end: ['threw'] },
  'an integer that grows': { code: 'let n = 3n; for (;;) n *= n', end: ['threw', 'memory', 'timeout'] },
  recursion: { code: 'const f = () => f() + 1; f()', end: ['threw'] },
  'recursion of awaits': { code: 'const f = async () => { await f(); }; await f()', end: ['threw', 'memory'] },
  'a nested value': { code: 'let a = []; for (let n = 0; n < 1e6; n++) a = [a]; return a', end: ['memory', 'threw'] },
  'a nested source': { code: 'eval("(".repeat(1e5))', end: ['threw'] },
  'a nested JSON': { code: 'JSON.parse("[".repeat(1e6))', end: ['threw'] },
  'many promises': { code: 'await Promise.all(Array.from({ length: 1e6 }, async () => 1))', end: ['memory'] },
};
for (const [name, { code, end }] of Object.entries(bombs))
  test(`CODE-4: ${name}: the engine stays within its memory`, async () => {
    const outcome = await run(code);
    expect(end).toContain(outcome.end);
    expect(outcome.files).toEqual([]);
  });

test('CODE-4: the process itself is killed after ten seconds, and before, if it hangs before it starts', async () => {
  const clock = new ManualClock();
  const runner = runnerWith({ atOnce: 1, runMs: 3_600_000 }, clock);
  const ended = runner.run({ code: 'while (true) {}', files: [] }, 1, never);
  // The timers of the start, of the memory, and of the wait; then that of the run.
  await vi.waitFor(async () => {
    await clock.advance(codeLimits.killMs);
    expect(await Promise.race([ended, Promise.resolve()])).toMatchObject({ end: 'timeout', text: '' });
  });
  await vi.waitFor(() => expect(clock.pendingTimers).toBe(0));
  if (process.platform === 'linux') await vi.waitFor(() => expect(codeProcesses()).toEqual([]));
});

const codeProcesses = (): number[] =>
  childrenOf(process.pid).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('code-process');
    } catch {
      return false;
    }
  });

test('CODE-4: stopping a call kills its process, and a call that waits never starts one', async () => {
  const runner = runnerWith({ ...ENDS, atOnce: 1 });
  const stop = new AbortController();
  const reason = new Error('stopped');
  const calls = [1, 2].map((person) => runner.run({ code: 'while (true) {}', files: [] }, person, stop.signal));
  const ended = Promise.allSettled(calls);
  stop.abort(reason);
  expect(await ended).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
  await expect(runner.run({ code: 'return 1', files: [] }, 1, stop.signal)).rejects.toBe(reason);
  expect(await runner.run({ code: 'return 1', files: [] }, 1, never)).toMatchObject({ end: 'done' });
});

test('CODE-9: the process has a lower priority than the service', async () => {
  const child = startCodeProcess();
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  expect(getPriority(child.pid)).toBe(Math.min(19, getPriority() + 10));
});

test('CODE-5: a person runs one piece of code at once, in turns with others; a call that waits too long is refused', async () => {
  const clock = new ManualClock();
  const runner = runnerWith({ ...ENDS, atOnce: 1 }, clock);
  const order: string[] = [];
  const call = (person: number, name: string) =>
    runner.run({ code: `return "${name}"`, files: [] }, person, never).then(({ text }) => order.push(text.trim()));
  await Promise.all([call(1, 'first'), call(1, 'second'), call(1, 'third'), call(2, 'another person')]);
  expect(order.map((text) => text.replace('Returned: ', ''))).toEqual(['first', 'another person', 'second', 'third']);
  // Each of the first two takes 30 seconds of this clock, because no process has started then.
  const calls = Array.from({ length: codeLimits.waiting + 1 }, () =>
    runner.run({ code: 'for (;;);', files: [] }, 1, never),
  );
  await expect(runner.run({ code: 'return 1', files: [] }, 1, never)).rejects.toBeInstanceOf(CodeBusy);
  const ended = Promise.allSettled(calls);
  await clock.advance(codeLimits.waitMs);
  const [first, second, ...others] = await ended;
  for (const one of [first, second]) expect(one).toMatchObject({ value: { end: 'timeout' } });
  for (const one of others) expect(one).toMatchObject({ reason: expect.any(CodeBusy) });
});

const absent = `process require module fetch XMLHttpRequest WebSocket Worker WebAssembly Atomics Deno Bun Buffer std os
  bjson importScripts navigator localStorage setInterval`.split(/\s+/);

test('CODE-3: code finds nothing of the process: no modules, no network, no other engine', async () => {
  const code = `const here = (name) => eval('typeof ' + name) !== 'undefined';
    const tried = [];
    for (const run of [() => import('fs'), () => import('node:fs'), () => import('./guest.js'), () => import('data:text/javascript,1')])
      tried.push(await run().then(() => 'reached', () => 'refused'));
    return [${JSON.stringify(absent)}.filter(here), tried, globalThis.constructor.constructor('return typeof process')()];`;
  expect(JSON.parse((await run(code)).text.replace('Returned: ', ''))).toEqual([
    [],
    Array(4).fill('refused'),
    'undefined',
  ]);
  expect(await run('import fs from "fs"')).toMatchObject({ end: 'threw', text: expect.stringMatching(/^SyntaxError/) });
});

test('CODE-3: functions of the service lead to nothing of it, and errors say nothing about its folders', async () => {
  const code = `const errors = [];
    for (const run of [() => readText('absent'), () => readBytes(Symbol.iterator), () => saveFile('x'.repeat(201), 'x'), () => saveFile('x', Symbol('x'))])
      try { run(); } catch (error) { errors.push(error.stack + error.message + String(error.constructor === Error || error.constructor === TypeError)); }
    const owned = Object.getOwnPropertyNames(readText).concat(Object.getOwnPropertyNames(Object.getPrototypeOf(readText)));
    return { errors, owned, global: readText.constructor('return this')() === globalThis };`;
  const { text } = await run(code);
  expect(text).not.toMatch(/file:|\.ts|\/server|node_modules/);
  expect(text).toContain('"global":true');
});

test('CODE-3: code that changes what all objects have harms itself alone', async () => {
  const games = [
    'Promise.prototype.then = () => {}; return 1',
    'Object.prototype.toString = () => { throw 1; }; Array.prototype.map = () => 5; console.log(1)',
    'Array.prototype.join = () => ({}); console.log(1)',
    'Object.defineProperty(Object.prototype, "end", { get: () => "done", set() { throw 1; } }); throw 5',
    'JSON.stringify = () => ({}); return {}',
    'String = () => ({ length: 1e9 }); saveFile("a", "b")',
    'ArrayBuffer.prototype.slice = () => "x"; saveFile("a", new Uint8Array(3))',
    'globalThis.echarts = { init: () => ({ setOption() {}, renderToSVGString: () => ({}), dispose() {} }) }; saveFile("a", chart({}))',
    '})(); (async () => { return 5',
    '}; globalThis.x = 1; {',
  ];
  for (const code of games) expect(['done', 'threw']).toContain((await run(code)).end);
});

const attacks = {
  network: `fetch(url)`,
  socket: `new Promise((reached, refused) => net.connect(port, '127.0.0.1').on('connect', reached).on('error', refused))`,
  name: `dns.promises.lookup('localhost')`,
  secret: `fs.readFileSync(secret)`,
  service: `fs.readFileSync(main)`,
  folder: `fs.readdirSync(path.dirname(secret))`,
  write: `fs.writeFileSync(secret, 'x')`,
  beside: `fs.writeFileSync(own, 'x')`,
  program: `child_process.execFileSync('true')`,
  thread: `new worker_threads.Worker('1', { eval: true })`,
};

test('CODE-2: whoever breaks out of the engine has a process without environment, files, network, programs or threads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-code-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'hunter2');
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // the type of a TCP address
  const given = {
    port,
    url: `http://127.0.0.1:${port}/`,
    secret,
    main: fileURLToPath(new URL('../main.ts', import.meta.url)),
    own: fileURLToPath(new URL('./guest.js', import.meta.url)),
  };
  const code = `
    import child_process from 'node:child_process'; import dns from 'node:dns'; import fs from 'node:fs';
    import net from 'node:net'; import path from 'node:path'; import worker_threads from 'node:worker_threads';
    const { port, url, secret, main, own } = ${JSON.stringify(given)};
    const outcome = { env: Object.keys(process.env), own: fs.readFileSync(own, 'utf8').length > 0 };
    try { new Function('return 1')(); outcome.eval = 'reached'; } catch { outcome.eval = 'refused'; }
    const attacks = { ${Object.entries(attacks)
      .map(([name, attack]) => `${name}: () => ${attack}`)
      .join()} };
    for (const [name, attack] of Object.entries(attacks))
      outcome[name] = await Promise.try(attack).then(() => 'reached', (error) => (error.cause ?? error).code ?? String(error));
    process.stdout.write(JSON.stringify(outcome), () => process.exit());
  `;
  const { env, execArgv } = confinedCode();
  const program = [...execArgv, '--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, program, { env });
  server.close();
  const refused = Object.keys(attacks).map((name) => [name, 'ERR_ACCESS_DENIED']);
  expect(JSON.parse(stdout)).toEqual({ env: [], own: true, eval: 'refused', ...Object.fromEntries(refused) });
});

test('CODE-6: files are read as text, as bytes, and documents as the text that the service has read of them', async () => {
  const files = [
    input('a.csv', '\uFEFFname;sum\r\n"x ""y"";z";3\r\nü;\r\n\r\n'),
    { name: 'b.xlsx', bytes: Buffer.of(1, 2), text: 'of the sheet' },
  ];
  const { text } = await run(
    'return [files, parseCsv(readText("a.csv")), parseCsv("1,2\\n3,", { header: false }), readText("b.xlsx"), [...readBytes("b.xlsx")]]',
    files,
  );
  expect(JSON.parse(text.replace('Returned: ', ''))).toEqual([
    ['a.csv', 'b.xlsx'],
    [
      { name: 'x "y";z', sum: '3' },
      { name: 'ü', sum: '' },
    ],
    [
      ['1', '2'],
      ['3', ''],
    ],
    'of the sheet',
    [1, 2],
  ]);
  expect(await run('readText("c.csv")', files)).toMatchObject({
    end: 'threw',
    text: expect.stringMatching(/no file "c.csv"/),
  });
});

test('CODE-7: code saves a few files of a few megabytes; code that fails saves none', async () => {
  const saved = await run(
    'saveFile("a.txt", "ü"); saveFile("b", new Uint8Array([1, 2, 3]).subarray(1)); saveFile("a.txt", "new")',
  );
  expect(saved.files.map(({ name, bytes }) => [name, [...bytes]])).toEqual([
    ['a.txt', [...Buffer.from('new')]],
    ['b', [2, 3]],
  ]);
  expect(await run('for (let n = 0; n < 5; n++) saveFile("a" + n, "x")')).toMatchObject({ end: 'threw', files: [] });
  expect(await run('saveFile("a", "x".repeat(9e6))')).toMatchObject({
    end: 'threw',
    text: expect.stringMatching(/8388608/),
    files: [],
  });
  const most = await run('const x = "x".repeat(2 * 2 ** 20); for (const n of [1, 2, 3, 4]) saveFile("a" + n, x)');
  expect(most.files.map(({ bytes }) => bytes.length)).toEqual(Array(4).fill(2 * 2 ** 20));
  // A gigabyte, in pieces that fit.
  const much = 'const x = new Uint8Array(8e6); for (let n = 0; n < 125; n++) saveFile("a" + n, x)';
  expect(await run(much)).toMatchObject({ end: 'threw', files: [] });
});

test('CODE-8: a chart is an SVG, drawn from an option of ECharts', async () => {
  const { end, files } = await run(`
    const rows = parseCsv('month,sum\\nMay,3\\nJune,5');
    saveFile('chart.svg', chart({ title: { text: 'Sums <1>' }, xAxis: { type: 'category', data: rows.map(({ month }) => month) },
      yAxis: {}, series: [{ type: 'bar', data: rows.map(({ sum }) => Number(sum)) }] }, { width: 640, height: 400 }));
    saveFile('pie.svg', chart({ series: [{ type: 'pie', data: [{ name: 'a', value: 1 }, { name: 'b', value: 2 }] }] }));
    saveFile('line.svg', chart({ xAxis: {}, yAxis: {}, series: [{ type: 'line', data: [[0, 1], [1, 3]] }, { type: 'scatter', data: [[1, 1]] }] }));`);
  expect(end).toBe('done');
  const [bar, pie, line] = files.map(({ bytes }) => Buffer.from(bytes).toString());
  expect(bar).toMatch(/^<svg width="640" height="400"/);
  expect(bar).toContain('Sums &lt;1&gt;');
  expect(bar).toContain('>June</text>');
  for (const svg of [pie, line]) expect(svg).toMatch(/<path /);
});
