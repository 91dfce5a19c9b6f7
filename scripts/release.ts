// `npm run release -- [VERSION] [--dry-run] [--no-image] [--out FOLDER]`: sets the version of every package, moves what the
// changelog has under Unreleased to that version, and packs what is published, the SDK for Python and the image too.
// Committing and publishing are left to a person.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildImage, imageTags, whyNoImage } from './packages/image.ts';
import { packPackages } from './packages/pack.ts';
import { planRelease, ReleaseError } from './packages/release-plan.ts';
import { buildWheel, python } from './packages/wheel.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      image: { type: 'boolean', default: true },
      out: { type: 'string' },
    },
  });
  const out = resolve(values.out ?? join(root, 'dist/packages'));
  const isDryRun = values['dry-run'];
  if (!isDryRun && execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
    throw new ReleaseError('commit your changes first');
  const hasPython = existsSync(python);
  if (!isDryRun && !hasPython) throw new ReleaseError(`make ${python} first, as CONTRIBUTING.md describes`);
  const noImage = values.image ? await whyNoImage() : '--no-image was given';
  if (!isDryRun && noImage !== null) throw new ReleaseError(`no image can be built: ${noImage}`);
  const { version, notes, files } = await planRelease(root, new Date().toISOString().slice(0, 10), positionals[0]);
  if (!isDryRun && notes === '') throw new ReleaseError('CHANGELOG.md has nothing under Unreleased');
  if (!isDryRun) for (const [path, text] of files) await writeFile(join(root, path), text);
  const make = async () => {
    await mkdir(out, { recursive: true });
    const tarballs = await packPackages(out, version);
    const wheels = hasPython ? [await buildWheel(out, version)] : [];
    const tags = isDryRun ? [`parley:${version}-dry-run`] : imageTags(version);
    return { tarballs, wheels, images: noImage === null ? [await buildImage(out, version, tags)] : [] };
  };
  const { tarballs, wheels, images } = await make().catch((error: unknown) => {
    if (isDryRun) throw error;
    // The image is built from the folder as it is, so the files come first.
    throw new ReleaseError(`${error instanceof Error ? error.message : String(error)}
The files of version ${version} are written. To take them back: git checkout .`);
  });

  print(`Version ${version}\n\n${notes}\n`);
  print(isDryRun ? 'Files that would be written:' : 'Files that were written:');
  for (const path of files.keys()) print(`  ${path}`);
  print('\nPackages:');
  const pathOf = (name: string): string => relative(process.cwd(), join(out, name));
  for (const path of [...tarballs, ...wheels, ...images].map(pathOf))
    print(`  ${path} (${Math.ceil((await stat(path)).size / 1000)} kB)`);
  if (!hasPython) print(`No wheel: ${python} is missing; CONTRIBUTING.md says how to make it.`);
  if (noImage !== null) print(`No image: ${noImage}`);
  if (!isDryRun) {
    print(`\nNow look at the changes, and then:\n  git commit -am 'Version ${version}' && git tag v${version}`);
    for (const tarball of tarballs) print(`  npm publish ${pathOf(tarball)} --access public`);
    for (const wheel of wheels) print(`  twine upload ${pathOf(wheel)}`);
    for (const tag of imageTags(version)) print(`  docker tag ${tag} REGISTRY/${tag} && docker push REGISTRY/${tag}`);
  }
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
