export type Turn = <Result>(act: () => Promise<Result>) => Promise<Result>;

/** Actions run one after another, so that two requests cannot mix their mouse moves and keys. */
export function createTurn(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
}
