export interface CallPoint {
  /** Counted from 1 over the whole run. */
  readonly number: number;
  readonly when: "before" | "after";
  readonly name: string;
}

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

  static at({ number, when }: Pick<CallPoint, "number" | "when">): KillSwitch {
    return new KillSwitch((point) => point.number === number && point.when === when);
  }

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

export function eachKind(points: readonly CallPoint[]): readonly CallPoint[] {
  const kinds = new Map<string, CallPoint>();
  for (const point of points) {
    const kind = `${point.when} ${point.name.replace(/\d+/g, "")}`;
    if (!kinds.has(kind)) kinds.set(kind, point);
  }
  return [...kinds.values()];
}
