// What the process that decodes uploaded files may do (FILE-18): Node's permission model refuses it everything but its
// code and one folder. The model binds JavaScript. Native code, that of the decoder, is bound only by the rights of the
// service's user.
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages that the process loads, wherever the installation has put them. */
const packages = ['sharp', 'file-type'];
const pathTo = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Where its code lies. `ldd` tells sharp which of its builds fits the system. */
const codePaths = [
  pathTo('./'),
  pathTo('../package.json'),
  pathTo('../../../node_modules/'),
  ...packages.map((name) => fileURLToPath(import.meta.resolve(name)).replace(/(?<=[\\/]node_modules[\\/]).*$/s, '')),
  '/usr/bin/ldd',
];

/** How the process is started that may read and write `folder` and, but for its code, nothing else. */
export function confinedTo(folder: string): { env: Record<string, string>; execArgv: string[] } {
  const code = [...new Set(codePaths)];
  // With a separator at its end it is all that is in it, also where the folder is yet to be made.
  const inside = join(folder, sep);
  return {
    // It inherits nothing: neither secrets of the environment nor options that are meant for the service.
    env: { INSPECTED_FOLDER: folder },
    execArgv: [
      // No network, processes, threads, WASI, foreign functions or debugger either.
      '--permission',
      ...[...code, inside].map((path) => `--allow-fs-read=${path}`),
      `--allow-fs-write=${inside}`,
      // For sharp, until it is loaded.
      '--allow-addons',
      '--max-old-space-size=256',
    ],
  };
}

/** Node has `drop` since version 25; its types do not know it yet. */
type Permission = { drop?: (scope: string) => void } | undefined;

/** Called in the process once sharp is loaded: no addon can be loaded from then on. */
export function dropAddons(): void {
  const { permission } = process as unknown as { permission: Permission }; // see Permission
  if (!permission?.drop) throw new Error('this process was started without --permission');
  permission.drop('addon');
}
