// The language engine: QuickJS, as WebAssembly without any import but a clock. Code reaches the service by three
// functions, which take and return text and bytes.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi';
import { type CodeFile, codeLimits, type CodeOutcome, type CodeTask } from './code-limits.ts';

/** Of calls inside calls: above it some of them exceed the stack of the process first, which ends the engine. */
const STACK_BYTES = 256 * 1024;
/** WASI's answer for a file descriptor that is not open. */
const NO_FILE = 8;

const { resolve } = createRequire(import.meta.url);
const engine = readFileSync(resolve('quickjs-wasi/quickjs.wasm'));
const guest = readFileSync(new URL('./guest.js', import.meta.url), 'utf8');

/** What a function of the service throws into the sandbox: without a stack, which names folders of the service. */
function refusal(message: string): Error {
  const error = new Error(message);
  error.stack = '';
  return error;
}

function text(handle: JSValueHandle | undefined): string {
  if (!handle?.isString) throw refusal('a text was expected');
  return handle.toString();
}

/** Whether code draws charts: their library takes a third of a second to load. */
const draws = (code: string): boolean => /\bchart\b|\becharts\b/.test(code);
const charts = (): string => readFileSync(resolve('echarts/dist/echarts.min.js'), 'utf8');

/** What the code prints, up to its limit. */
class Printed {
  #text = '';
  #bytes = 0;
  #isCut = false;

  add(line: string): void {
    if (this.#isCut) return;
    const bytes = Buffer.from(line);
    const left = codeLimits.textBytes - this.#bytes;
    this.#isCut = bytes.length >= left;
    this.#bytes += bytes.length + 1;
    this.#text += `${bytes.subarray(0, left).toString()}\n`;
  }

  get text(): string {
    return this.#isCut ? `${this.#text}[cut: more was printed than fits]\n` : this.#text;
  }
}

/** `runMs`: how long the code may run. */
export async function runInSandbox({ code, files }: CodeTask, runMs: number = codeLimits.runMs): Promise<CodeOutcome> {
  const printed = new Printed();
  const saved = new Map<string, CodeFile>();
  let startedAt = performance.now();
  let isLate = false;
  const vm = await QuickJS.create({
    wasm: engine,
    memoryLimit: codeLimits.memoryBytes,
    maxStackSize: STACK_BYTES,
    timezoneOffset: 0,
    interruptHandler: () => (isLate ||= performance.now() - startedAt > runMs),
    // What the engine itself would print: the answer has its place.
    wasi: () => ({ fd_write: () => NO_FILE }),
  });

  const host = vm.newObject();
  const offer = (name: string, run: (...given: JSValueHandle[]) => JSValueHandle): void =>
    vm.setProp(host, name, vm.newFunction(name, run));
  offer('log', (line) => {
    printed.add(text(line));
    return vm.undefined;
  });
  offer('read', (name, isText) => {
    const asked = text(name);
    const file = files.find((one) => one.name === asked);
    if (!file) throw refusal(`There is no file ${JSON.stringify(asked)}: name it in the files of the call.`);
    return isText?.toBoolean()
      ? vm.newString(file.text ?? new TextDecoder().decode(file.bytes))
      : vm.newArrayBuffer(file.bytes);
  });
  offer('save', (name, content, alt) => {
    const bytes = content?.isArrayBuffer ? new Uint8Array(content.toArrayBuffer()) : Buffer.from(text(content));
    const file = { name: text(name), bytes: Uint8Array.from(bytes), alt: text(alt) };
    if (file.name.length > codeLimits.nameLength)
      throw refusal(`The name of a file has at most ${codeLimits.nameLength} characters.`);
    const others = [...saved.values()].filter((one) => one.name !== file.name);
    if (others.length >= codeLimits.filesSaved) throw refusal(`At most ${codeLimits.filesSaved} files can be saved.`);
    if ([...others, file].reduce((sum, one) => sum + one.bytes.length, 0) > codeLimits.savedBytes)
      throw refusal(`Files of at most ${codeLimits.savedBytes} bytes together can be saved.`);
    saved.set(file.name, file);
    return vm.undefined;
  });
  vm.setProp(host, 'names', vm.hostToHandle(files.map(({ name }) => name)));

  const ended = (end: CodeOutcome['end'], more = ''): CodeOutcome => {
    if (more !== '') printed.add(more);
    return { end, text: printed.text, files: end === 'done' ? [...saved.values()] : [] };
  };
  const failed = (name: string, message: string, stack = ''): CodeOutcome => {
    if (isLate) return ended('timeout');
    if (name === 'InternalError' && message === 'out of memory') return ended('memory');
    return ended('threw', `${name}: ${message}${whereIn(stack)}`);
  };

  try {
    if (draws(code)) vm.evalCode(charts(), 'charts.js').dispose();
    const shown = vm.callFunction(vm.evalCode(guest, 'guest.js'), vm.undefined, host);
    // Charts load in the time of the process, but code has its own.
    startedAt = performance.now();
    const result = vm.evalCode(`(async () => {${code}\n})()`, 'code.js');
    vm.executePendingJobs();
    const settled = promiseStates[result.promiseState];
    if (isLate) return ended('timeout');
    if (settled === undefined)
      return ended('threw', 'The code waits for something that never happens: nothing in the sandbox takes time.');
    const outcome = await vm.resolvePromise(result);
    if ('error' in outcome) {
      const { error } = outcome;
      if (!error.isError) return failed('Thrown', vm.callFunction(shown, vm.undefined, error).toString());
      const part = (name: string): string => {
        const value = error.getProp(name);
        return value.isString ? value.toString() : '';
      };
      return failed(part('name'), part('message'), part('stack'));
    }
    if (outcome.value.isUndefined) return ended('done');
    return ended('done', `Returned: ${vm.callFunction(shown, vm.undefined, outcome.value).toString()}`);
  } catch (error) {
    if (error instanceof JSException) return failed(error.name, error.message, error.stack);
    if (isLate) return ended('timeout');
    // The stack of the process, or the engine gave up: without memory it has none for an error either.
    return error instanceof RangeError ? ended('threw', `RangeError: ${error.message}`) : ended('memory');
  }
}

const promiseStates: Readonly<Record<number, 'fulfilled' | 'rejected' | undefined>> = { 1: 'fulfilled', 2: 'rejected' };

/** The place in the code itself. */
function whereIn(stack: string): string {
  const place = /\(?code\.js:(\d+)(?::\d+)?\)?/.exec(stack);
  return place ? ` (line ${place[1]})` : '';
}
