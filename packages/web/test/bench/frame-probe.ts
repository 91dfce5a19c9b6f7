// Evaluated in a page: records when each animation frame begins, in ms. The argument of the callback would not do: after
// a long task it is a time within that task.
const begunAt: number[] = [];

const record = (): void => {
  begunAt.push(performance.now());
  requestAnimationFrame(record);
};
requestAnimationFrame(record);

Object.assign(globalThis, { frameTimes: begunAt });
