// How clusters of 10, 100 and 1,000 nodes would bear up, in each design: node bench/simulation/main.ts [part]
// Prints the tables of docs/decisions/0014, or one of them: costs, loads, most, growing, sensitivity.
import { type Costs, measured, type Workload } from './constants.ts';
import { type Design, designs } from './designs.ts';
import { type Outcome, simulate } from './simulate.ts';

/** What counts as bearing up: the time to the last socket, and the load of cores and of Redis. */
const MAX_P99_MS = 250;
const MAX_LOAD = 0.8;
const SOCKETS_PER_NODE = 10_000;

const table = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((cells) => `| ${cells.join(' | ')} |`)
    .toSpliced(1, 0, `|${'---|'.repeat(rows[0]?.length ?? 0)}`)
    .join('\n');
const amount = (value: number): string =>
  Number.isFinite(value) ? value.toLocaleString('en', { maximumSignificantDigits: 2 }) : '–';

/** What is overloaded, the most loaded first; empty if the cluster bears up. Batches wait for a full row and grow. */
function broken({ p99Ms, node, row, redis }: Outcome): string {
  const loads = Object.entries({ 'the row': p99Ms > MAX_P99_MS ? row : 0, Redis: redis, nodes: node });
  const found = loads.filter(([, load]) => load > MAX_LOAD).toSorted(([, a], [, b]) => b - a);
  return found.map(([name]) => name).join(', ') || (p99Ms > MAX_P99_MS ? 'time' : '');
}

interface Case {
  design: Design;
  nodes: number;
  costs?: Partial<Costs>;
  workload?: Partial<Workload>;
}

const STEP = 1.25;

/** The most sockets that a cluster bears, in steps of a quarter, and what breaks next; searched upwards or downwards. */
function most({ design, nodes, costs = {} }: Case, from = 20_000): { sockets: number; next: string } {
  const breaks = (sockets: number): string =>
    broken(simulate({ design, nodes, costs, workload: { sockets }, seconds: 0.6 }));
  for (let sockets = from, next = breaks(from); ;) {
    const isBorne = next === '';
    const tried = isBorne ? sockets * STEP : sockets / STEP;
    const reason = breaks(tried);
    if (isBorne && reason !== '') return { sockets, next: reason };
    if (!isBorne && (reason === '' || tried < 1_000)) return { sockets: tried, next };
    [sockets, next] = [tried, reason];
  }
}

/** Few enough for every design and number of nodes. */
const BORNE_SOCKETS = 50_000;

function costs(): void {
  console.log(
    `\n## What a message costs with its typing and its share of answers: ${amount(BORNE_SOCKETS)} sockets in all\n`,
  );
  const costHead = ['design', 'nodes', 'heard by', 'of use', 'µs on other nodes', 'µs of Redis', 'p50 ms', 'p99 ms'];
  console.log(
    table([
      costHead,
      ...Object.values(designs).flatMap((design) =>
        [10, 100, 1_000].map((nodes) => {
          const workload = { sockets: BORNE_SOCKETS };
          const { heardBy, ofUse, elsewhereUs, redisUs, p50Ms, p99Ms } = simulate({
            design,
            nodes,
            workload,
            seconds: 2,
          });
          return [design.name, ...[nodes, heardBy, ofUse, elsewhereUs, redisUs, p50Ms, p99Ms].map(amount)];
        }),
      ),
    ]),
  );
}

function loads(): void {
  console.log(`\n## Loads at ${amount(SOCKETS_PER_NODE)} sockets a node\n`);
  const loadHead = [
    'design',
    'nodes',
    'messages/s',
    'p50 ms',
    'p99 ms',
    'node',
    'row',
    'Redis',
    'Redis MB/s',
    'Redis GB',
    'breaks',
  ];
  console.log(
    table([
      loadHead,
      ...[10, 100, 1_000].flatMap((nodes) =>
        Object.values(designs).map((design) => {
          const workload = { sockets: nodes * SOCKETS_PER_NODE };
          const one = simulate({ design, nodes, workload, seconds: nodes > 100 ? 0.6 : 1 });
          const { sentPerSecond, p50Ms, p99Ms, node, row, redis, redisMegabytesPerSecond, redisGigabytes } = one;
          const figures = [
            nodes,
            sentPerSecond,
            p50Ms,
            p99Ms,
            node,
            row,
            redis,
            redisMegabytesPerSecond,
            redisGigabytes,
          ];
          return [design.name, ...figures.map(amount), broken(one)];
        }),
      ),
    ]),
  );
}

function mostSockets(): void {
  console.log('\n## The most sockets\n');
  console.log(
    table([
      ['design', ...[10, 30, 100].flatMap((nodes) => [`${nodes} nodes`, 'then breaks'])],
      ...Object.values(designs).map((design) => [
        design.name,
        ...[10, 30, 100].flatMap((nodes) => {
          const { sockets, next } = most({ design, nodes });
          return [amount(sockets), next];
        }),
      ]),
    ]),
  );
}

/** Few enough for 10 nodes of today's design, not for 30. */
const GROWING_SOCKETS = 1_000_000;

function growing(): void {
  console.log(`\n## More nodes for ${amount(GROWING_SOCKETS)} sockets in all: p99 ms\n`);
  const p99 = (design: Design, nodes: number): string =>
    simulate({ design, nodes, workload: { sockets: GROWING_SOCKETS } }).p99Ms.toFixed(0);
  const counts = [10, 20, 30];
  console.log(
    table([
      ['design', ...counts.map((nodes) => `${nodes} nodes`)],
      ...Object.values(designs).map((design) => [design.name, ...counts.map((nodes) => p99(design, nodes))]),
    ]),
  );
}

function sensitivity(): void {
  console.log('\n## 100 nodes, each constant halved and doubled: the most sockets\n');
  const names = Object.keys(measured) as (keyof Costs)[]; // keys of a constant
  const shown = [designs.today, designs.early, designs.rows];
  const usual = shown.map((design) => most({ design, nodes: 100 }).sockets);
  const times = (name: keyof Costs, factor: number): Partial<Costs> => ({ [name]: factor * measured[name] });
  console.log(
    table([
      ['constant', ...shown.flatMap(({ name }) => [`${name}: ×0.5`, '×2'])],
      ['none', ...usual.flatMap((sockets) => [amount(sockets), amount(sockets)])],
      ...names.map((name) => [
        name,
        ...shown.flatMap((design, at) =>
          [0.5, 2].map((factor) => amount(most({ design, nodes: 100, costs: times(name, factor) }, usual[at]).sockets)),
        ),
      ]),
    ]),
  );
}

const parts = { costs, loads, most: mostSockets, growing, sensitivity };
const [, , wanted] = process.argv;
for (const [name, print] of Object.entries(parts)) if (wanted === undefined || wanted === name) print();
