// The program of the watchdog: it ends the process that started it when that shows no sign of life for too long. The
// signs arrive on its input, which closes when that process ends.
import { DEBUGGED } from './watchdog-signs.ts';

const LOOK_MS = 500;

const [pid, hungMs] = process.argv.slice(2).map(Number);
let heardAt = performance.now();
let lookedAt = heardAt;

let isDebugged = false;

process.stdin.setEncoding('utf8').on('data', (signs: string) => {
  heardAt = performance.now();
  isDebugged = signs.endsWith(DEBUGGED);
});
process.stdin.on('close', () => process.exit());

setInterval(() => {
  const now = performance.now();
  // This process was suspended too, or had no processor: it cannot know what it would have heard.
  if (now - lookedAt > 4 * LOOK_MS) heardAt = now;
  lookedAt = now;
  if (isDebugged || now - heardAt < Number(hungMs)) return;
  try {
    process.kill(Number(pid), 'SIGKILL');
  } finally {
    process.exit();
  }
}, LOOK_MS);
