// What the process that decodes uploaded files may do (FILE-18): Node's permission model denies everything except its
// code and one folder. The model restricts JavaScript only; native code, such as the decoder, has all rights of the
// service's user.
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages that the process loads, wherever they are installed. */
const packages = ['sharp', 'file-type', 'unpdf', 'pdfjs-dist', 'htmlparser2'];
const pathTo = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The locations of the process's code. sharp runs `ldd` to choose the build that fits the system. */
const codePaths = [
  pathTo('./'),
  pathTo('../package.json'),
  fileURLToPath(new URL('./', import.meta.resolve('@parley/office'))),
  pathTo('../../../node_modules/'),
  ...packages.map((name) => fileURLToPath(import.meta.resolve(name)).replace(/(?<=[\\/]node_modules[\\/]).*$/s, '')),
  '/usr/bin/ldd',
];

/**
 * Options for starting a process that may read and write `folder` and otherwise only read its code. The folder must exist
 * when the process starts: Node decides then that the permission is for its content.
 */
export function confinedTo(folder: string): { env: Record<string, string>; execArgv: string[] } {
  const code = [...new Set(codePaths)];
  const inside = join(folder, sep);
  return {
    // The environment is not inherited: it contains secrets, and options meant for the service.
    env: { INSPECTED_FOLDER: folder },
    execArgv: [
      // This also denies network, processes, threads, WASI, foreign functions and the debugger.
      '--permission',
      ...[...code, inside].map((path) => `--allow-fs-read=${path}`),
      `--allow-fs-write=${inside}`,
      // sharp is an addon; dropAddons removes the permission once it is loaded.
      '--allow-addons',
      '--max-old-space-size=256',
    ],
  };
}

/** Node has `drop` since version 25, but the types lack it. */
type Permission = { drop?: (scope: string) => void } | undefined;

/** Called in the process once sharp is loaded; after that no addon can be loaded. */
export function dropAddons(): void {
  const { permission } = process as unknown as { permission: Permission }; // see Permission
  if (!permission?.drop) throw new Error('this process was started without --permission');
  permission.drop('addon');
}
