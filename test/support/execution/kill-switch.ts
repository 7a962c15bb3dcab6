/** A point before or after a call of a run's execution. */
export interface CallPoint {
  /** Counted from 1 over the whole run. */
  readonly number: number;
  readonly when: "before" | "after";
  readonly name: string;
}

/** Counts the calls of an execution, and kills it before or after one of them: none of it goes on. */
export class KillSwitch {
  readonly #shouldKill: (point: CallPoint) => boolean;
  readonly #onCall: (point: CallPoint) => Promise<void>;
  #onKill: (() => void) | undefined;
  #number = 0;
  readonly points: CallPoint[] = [];

  /** @param onCall called at each point. */
  constructor(
    shouldKill: (point: CallPoint) => boolean = () => false,
    onCall: (point: CallPoint) => Promise<void> = async () => undefined,
  ) {
    this.#shouldKill = shouldKill;
    this.#onCall = onCall;
  }

  /** Resolves when the invocation is killed. */
  armed(): Promise<"killed"> {
    return new Promise((resolve) => {
      this.#onKill = () => resolve("killed");
    });
  }

  async call<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    this.#number += 1;
    const number = this.#number;
    await this.#pass({ number, when: "before", name });
    const result = await work();
    await this.#pass({ number, when: "after", name });
    return result;
  }

  async #pass(point: CallPoint): Promise<void> {
    this.points.push(point);
    await this.#onCall(point);
    if (!this.#shouldKill(point)) return;
    this.#onKill?.();
    // A killed process does nothing more, and sees no error.
    await new Promise<never>(() => undefined);
  }
}

/** The first point before and after each kind of call: the execution continues alike for all of a kind. */
export function eachKind(points: readonly CallPoint[]): readonly CallPoint[] {
  const kinds = new Map<string, CallPoint>();
  for (const point of points) {
    const kind = `${point.when} ${point.name.replace(/\d+/g, "")}`;
    if (!kinds.has(kind)) kinds.set(kind, point);
  }
  return [...kinds.values()];
}
