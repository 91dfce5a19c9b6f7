import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceProcess } from '../crash/service-process.ts';
import { needs } from '../programs/needs.ts';
import { startFakeProviders } from '../providers/fake-providers.ts';
import { fastFolder } from '../servers/fast-folder.ts';
import { Random } from '../simulation/random.ts';
import { Commits } from './commits.ts';
import { Disk, type Honesty, type Remains, remains } from './disk.ts';
import { DATABASE, INDEX, Judge, loggedIn } from './judge.ts';
import { runLoad, settle } from './load.ts';
import { Owed } from './owed.ts';
import { Recorder } from './recorder.ts';
import { type Happened, readRecording } from './recording.ts';

const CUTS = Number(process.env['POWER_CUTS'] ?? 150);
const MESSAGES = Number(process.env['MESSAGES'] ?? 160);
const { RECORDING } = process.env;
const SEED = Number(process.env['SEED'] ?? Date.now());
/** Number of cuts of a disk that lies; about half of them lose something. */
const LYING_CUTS = 25;
/** Every n-th cut is checked thoroughly. */
const THOROUGH = 10;
/** Small enough for a checkpoint after every few commits. */
const CHECKPOINT_PAGES = '120';
const MAX_SHOWN = 20;

describe('a power cut', needs('cc'), () => {
  let folder: string;
  let recording: Happened[] = [];
  /** The files at the end of the run. */
  let files = new Map<string, Buffer>();

  beforeAll(async () => {
    folder = mkdtempSync(join(fastFolder(), 'parley-power-cut-'));
    if (RECORDING !== undefined) {
      copyFileSync(RECORDING, join(folder, 'recording'));
      recording = readRecording(readFileSync(RECORDING));
      files = filesAfter(recording);
    } else await record();
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Records two runs of the service; the first ends in order, the second by a kill. */
  async function record(): Promise<void> {
    const recorder = new Recorder(folder);
    const providers = await startFakeProviders();
    const dataDir = join(folder, 'data');
    const env = { ...providers.env, ...recorder.env(dataDir), CHECKPOINT_PAGES };
    const service = new ServiceProcess(env, { folder: dataDir, watcher: recorder });
    try {
      await service.start();
      const place = await settle(service, recorder, providers);
      await runLoad(place, MESSAGES / 2);
      await service.stop();
      await service.start();
      await runLoad(place, MESSAGES / 2);
      await service.kill();
      recording = readRecording(readFileSync(recorder.file));
      files = filesAfter(recording);
      // The library has missed nothing.
      for (const [name, bytes] of files) expect(readFileSync(join(dataDir, name)).equals(bytes), name).toBe(true);
    } finally {
      await service.close();
      await providers.close();
      recorder.close();
    }
    expect(service.problems).toEqual([]);
  }

  /**
   * Cuts the power at random points of the recording, and returns the problems found after each. `tight`: the share of
   * cuts just before a flush ends, when most is owed and least is safe.
   */
  function cutPower(count: number, honesty: Honesty, keeps: readonly Remains[], tight: number) {
    const random = new Random(SEED);
    const ends = recording.flatMap(({ kind }, at) => (kind === 'flushed' ? [at - 1] : []));
    const place = () => (random.chance(tight) ? random.pick(ends) : undefined) ?? random.below(recording.length);
    const places = Array.from({ length: count }, place).toSorted((a, b) => a - b);
    const whole = join(folder, 'whole.db');
    for (const part of ['', '-wal']) writeFileSync(whole + part, files.get(DATABASE + part) ?? '');
    const disk = new Disk(honesty);
    const owed = new Owed();
    const commits = { [DATABASE]: new Commits(DATABASE), [INDEX]: new Commits(INDEX) };
    const key = files.get('secrets.key') ?? Buffer.alloc(0);
    const judge = new Judge({ folder: join(folder, 'cut'), logged: loggedIn(whole), owed, commits, key });
    const problems: string[] = [];
    let failed = 0;
    let cuts = 0;
    recording.forEach((happened, at) => {
      disk.apply(happened);
      for (const one of Object.values(commits)) one.note(happened, disk);
      if (happened.kind === 'received') owed.take(happened.received);
      for (; places[0] === at; places.shift()) {
        const kept = random.pick(keeps) ?? 'none';
        const found = judge.check(disk.cut(kept, random), cuts % THOROUGH === 0);
        cuts += 1;
        if (found.length > 0) failed += 1;
        problems.push(...found.map((problem) => `cut ${cuts} after record ${at}, ${kept} kept: ${problem}`));
      }
    });
    return { cuts, failed, problems, owed, commits };
  }

  test('STORE-12: a power cut at any moment loses nothing that a client has received, and leaves only whole commits', () => {
    const { cuts, failed, problems, owed, commits } = cutPower(CUTS, 'honest', remains, 0.5);
    process.stdout.write(
      `power cut: seed ${SEED}, ${cuts} cuts of ${recording.length} records with ${commits[DATABASE].count} commits, ` +
        `${commits[DATABASE].checkpoints} checkpoints, ${owed.answers} answers, ${owed.frames} frames, ${owed.messages.size} messages: ${failed} cuts lost something\n`,
    );
    if (failed > 0) {
      // A run cannot be repeated, but its recording can be cut again: RECORDING=file.
      const kept = join(tmpdir(), `power-cut-${SEED}`);
      copyFileSync(join(folder, 'recording'), kept);
      process.stdout.write(`power cut: the recording is kept in ${kept}\n`);
    }
    expect(problems.slice(0, MAX_SHOWN)).toEqual([]);
    expect(cuts).toBe(CUTS);
  }, 1_200_000);

  test.each(['never flushes', 'flushes late'] as const)(
    'STORE-12: on a disk that %s, a power cut loses what a client has received',
    (honesty) => {
      const { cuts, failed, problems } = cutPower(LYING_CUTS, honesty, ['none'], 1);
      process.stdout.write(`power cut: with a disk that ${honesty}, ${failed} of ${cuts} cuts lost something\n`);
      expect(problems.find((problem) => problem.includes('is lost'))).toBeDefined();
    },
  );
});

function filesAfter(recording: readonly Happened[]): Map<string, Buffer> {
  const disk = new Disk();
  for (const happened of recording) disk.apply(happened);
  return disk.cut('all', new Random(SEED));
}
