import { beforeEach } from 'vitest';
import { nodesByDefault } from '../world/nodes-by-default.ts';
import { needs } from './needs.ts';
import { beginFile, howToHave, isHere, programNames } from './programs.ts';

// Runs before each test file.
beginFile();
// Every test of these needs the same programs: those of a project that names some (vitest.config.ts), and, with NODES,
// those in which each world is of several nodes.
const named = process.env['PROJECT_NEEDS']?.split(',') ?? [];
const everywhere = programNames.filter(
  (name) => named.includes(name) || (nodesByDefault() > 0 && (name === 'postgres' || name === 'redis')),
);
if (needs(...everywhere).skip)
  beforeEach(({ skip }) => skip(everywhere.flatMap((name) => (isHere(name) ? [] : [howToHave(name)])).join('; ')));
