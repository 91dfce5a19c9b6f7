import { fsyncSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { CommitPosition } from './commit-position.ts';
import type { CheckpointThreadOptions } from './sqlite-thread.ts';
import { serveCheckpoints } from './wal-checkpoints.ts';

const { file, position, pages, descriptor }: CheckpointThreadOptions = workerData;
const connection = new SqliteConnection(file, { checkpoints: false });
serveCheckpoints(connection, new CommitPosition(position), { pages, flush: () => fsyncSync(descriptor) });
connection.close();
