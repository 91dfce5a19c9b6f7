import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { thisThread, WATCH_MS } from '../core/held-thread.ts';
import type { Service } from '../service/interface.ts';

/** What /metrics exposes: numbers only, no names of people or conversations. */
export interface Metrics {
  registry: Registry;
  countRequest(operation: string, transport: 'http' | 'socket', code: string): void;
  observeSeconds(operation: string, seconds: number): void;
}

/**
 * Metrics of the library that `promtool check metrics` refuses: gauges with names of counters, which are sums of gauges by
 * type, and names that say their type.
 */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_utilization_histogram',
  'nodejs_eventloop_utilization_summary',
];

let processMetrics: Registry | undefined;

/**
 * Memory, processor time and collections of the process. All services of a process share them: their observers cannot be
 * removed, and would keep a closed service in memory.
 */
function metricsOfProcess(): Registry {
  if (!processMetrics) {
    processMetrics = new Registry();
    // Its timer fires together with that of `thisThread`.
    collectDefaultMetrics({ register: processMetrics, eventLoopMonitoringPrecision: WATCH_MS });
    for (const name of MISNAMED) processMetrics.removeSingleMetric(name);
  }
  return processMetrics;
}

export function createMetrics(service: Service): Metrics {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('parley_sockets', 'Live WebSockets', () => service.sockets.count);
  gauge('parley_open_streams', 'Open streaming replies', () => service.streams.size);
  gauge('parley_running_turns', 'Running turns of the server’s own agents', () => service.turns.runningCount);
  gauge('parley_units_in_flight', 'Units of work sent to the store and not finished', () => service.units.inFlight);
  gauge('parley_pushes_waiting', 'Pushes queued or being sent', () => service.push.waiting);
  gauge('parley_pushes_dropped', 'Pushes dropped because the queues were full', () => service.push.dropped);
  for (const [outcome, count] of [
    ['sent', () => service.push.counts.sent],
    ['gone', () => service.push.counts.gone],
    ['retry', () => service.push.counts.retry],
    ['failed', () => service.push.counts.failed],
  ] as const)
    gauge(`parley_pushes_${outcome}`, `Push attempts with the outcome ${outcome}`, count);
  gauge('parley_uploads', 'Uploads in progress', () => service.files.slots.count);
  gauge('parley_files_uploaded', 'Files uploaded since the start', () => service.files.counts.files);
  gauge('parley_file_bytes_uploaded', 'Bytes of files uploaded since the start', () => service.files.counts.bytes);
  gauge('parley_log_seq', 'Number of the last published event', () => service.log.published);

  gauge('parley_store_reads', 'Read statements sent to PostgreSQL since the start', () => service.readCount());
  gauge('parley_events_heard', 'Events of other nodes that this node heard', () => service.heardCounts().heard);
  gauge(
    'parley_events_of_use',
    'Events of other nodes for conversations and accounts with sockets on this node',
    () => service.heardCounts().ofUse,
  );

  const held = new Counter({
    name: 'parley_thread_held_total',
    help: 'Callbacks that used their thread for more than 50 ms',
    labelNames: ['thread', 'name'],
    registers: [registry],
    collect() {
      held.reset();
      for (const { thread, name, count } of service.held.counts) held.inc({ thread, name }, count);
    },
  });

  gauge(
    'parley_timer_p99_late_seconds',
    'How late a repeating timer fires, p99 over the last 500 times',
    () => thisThread.lateP99Ms / 1_000,
  );

  const requests = new Counter({
    name: 'parley_requests_total',
    help: 'Calls of operations',
    labelNames: ['operation', 'transport', 'code'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'parley_request_seconds',
    help: 'Time from a request to its response',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  // Looking up a labelled counter costs more than incrementing it, so each is looked up once.
  const counters = new Map<string, Counter.Internal>();
  return {
    registry: Registry.merge([metricsOfProcess(), registry]),
    countRequest(operation, transport, code) {
      const key = `${operation} ${transport} ${code}`;
      let counter = counters.get(key);
      if (!counter) counters.set(key, (counter = requests.labels({ operation, transport, code })));
      counter.inc();
    },
    observeSeconds: (operation, value) => seconds.observe({ operation }, value),
  };
}
