/** Number of nodes of a world by default: 0 is one process with its data in files. */
export const nodesByDefault = (): number => Number(process.env['NODES'] ?? 0);
