import { setImmediate } from "node:timers/promises";
import { type DynamoDBClient, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../../../shared/domain/clock.ts";
import type { DynamoModel } from "../dynamo-model/dynamo-model.ts";
import type { Random } from "../shared/random.ts";

export interface Faults {
  readonly crash: number;
  /** The call is refused because another transaction is under way. */
  readonly conflict: number;
  readonly lost: number;
}

export const noFaults: Faults = { crash: 0, conflict: 0, lost: 0 };

export type TaskEnd =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "crashed" };

export interface TaskContext {
  readonly client: Pick<DynamoDBClient, "send">;
  readonly clock: Clock;
}

interface Task {
  readonly name: string;
  readonly mayCrash: boolean;
  readonly end: (end: TaskEnd) => void;
  isOver: boolean;
}

interface Waiting {
  readonly task: Task;
  readonly what: string;
  readonly fromMs: number;
  readonly go: () => void;
}

const millisecondsMax = 40;
/** The longest delay of a slow call, so that many others come before it. */
const slowMillisecondsMax = 1_500;

/**
 * Runs actors side by side, one call to the table at a time. Random choices alone decide which pending call is next and
 * how it fails, so the same seed makes the same schedule.
 */
export class Scheduler {
  faults: Faults = noFaults;
  slowness = 0;
  readonly #steps: (string | (() => string))[] = [];
  readonly #model: DynamoModel;
  readonly #random: Random;
  readonly #waiting: Waiting[] = [];
  #tasks = 0;
  #nowMs = Date.UTC(2026, 0, 15, 12);

  constructor(model: DynamoModel, random: Random) {
    this.#model = model;
    this.#random = random;
  }

  now(): number {
    return this.#nowMs;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
  }

  get busy(): number {
    return this.#tasks;
  }

  get trace(): readonly string[] {
    return this.#steps.map((step) => (typeof step === "string" ? step : step()));
  }

  /** @param step a function is called only when the trace is read. */
  note(step: string | (() => string)): void {
    this.#steps.push(step);
  }

  async begin(
    name: string,
    work: (context: TaskContext) => Promise<void>,
    options: { readonly mayCrash?: boolean; readonly end?: (end: TaskEnd) => void } = {},
  ): Promise<void> {
    const { mayCrash = true, end = () => {} } = options;
    const task: Task = { name, mayCrash, end, isOver: false };
    this.#tasks += 1;
    this.note(`${name}: begins`);
    const finish = (how: TaskEnd) => {
      if (task.isOver) return;
      task.isOver = true;
      this.#tasks -= 1;
      this.note(`${name}: ${how.kind}${how.kind === "failed" ? ` ${String(how.error)}` : ""}`);
      end(how);
    };
    work(this.#contextOf(task)).then(
      () => finish({ kind: "done" }),
      (error: unknown) => finish({ kind: "failed", error }),
    );
    await setImmediate();
  }

  async step(): Promise<boolean> {
    this.advance(this.#random.int(0, millisecondsMax));
    const ready = this.#waiting.filter(({ fromMs }) => fromMs <= this.#nowMs);
    const next = ready.length > 0 ? this.#random.pick(ready) : this.#earliest();
    if (next === undefined) return false;
    this.#nowMs = Math.max(this.#nowMs, next.fromMs);
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    if (next.task.mayCrash && this.#random.chance(this.faults.crash)) this.#crash(next.task);
    else next.go();
    // Everything that follows without another call is done here, too.
    await setImmediate();
    return true;
  }

  #earliest(): Waiting | undefined {
    return this.#waiting.reduce<Waiting | undefined>(
      (first, one) => (first === undefined || one.fromMs < first.fromMs ? one : first),
      undefined,
    );
  }

  /** Kills the actor as a power cut would: its pending calls never return. */
  #crash(task: Task): void {
    for (let place = this.#waiting.length - 1; place >= 0; place -= 1) {
      if (this.#waiting[place]?.task === task) this.#waiting.splice(place, 1);
    }
    task.isOver = true;
    this.#tasks -= 1;
    this.note(`${task.name}: CRASH`);
    task.end({ kind: "crashed" });
  }

  #contextOf(task: Task): TaskContext {
    const wait = <T>(what: string, fromMs: number, act: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        const go = () => {
          try {
            resolve(act());
          } catch (error) {
            reject(error);
          }
        };
        this.#waiting.push({ task, what, fromMs, go });
      });
    const send = (command: object) => wait("call", this.#beginning(), () => this.#answer(task, command));
    return {
      // The overloads of `send` are many; each command is answered with its own output.
      client: { send } as unknown as Pick<DynamoDBClient, "send">,
      clock: {
        now: () => this.#nowMs,
        sleep: (ms) => wait("sleep", this.#nowMs + ms, () => undefined),
      },
    };
  }

  #beginning(): number {
    const isSlow = this.slowness > 0 && this.#random.chance(this.slowness);
    return isSlow ? this.#nowMs + this.#random.int(0, slowMillisecondsMax) : 0;
  }

  #answer(task: Task, command: object): object {
    const { conflict, lost } = this.faults;
    const name = command.constructor.name.replace(/Command$/, "");
    if (name === "TransactWriteItems" && this.#random.chance(conflict)) {
      this.note(`${task.name}: ${name} meets another transaction`);
      throw conflicted();
    }
    const isLost = this.#random.chance(lost);
    try {
      const answer = this.#model.answer(command);
      this.note(() => `${task.name}: ${name} ${summary(command)}${isLost ? " (answer lost)" : ""}`);
      if (isLost) throw noAnswer();
      return answer;
    } catch (error) {
      if (!isLost) this.note(() => `${task.name}: ${name} ${summary(command)} REFUSED ${reasonOf(error)}`);
      throw error;
    }
  }
}

function conflicted(): TransactionCanceledException {
  return new TransactionCanceledException({
    $metadata: {},
    message: "Transaction cancelled",
    CancellationReasons: [{ Code: "TransactionConflict" }],
  });
}

function noAnswer(): Error {
  return Object.assign(new Error("the connection was lost"), { name: "TimeoutError" });
}

function summary(command: object): string {
  const text = JSON.stringify("input" in command ? command.input : {});
  const parts = [...text.matchAll(/"(?:pk|:pk)":\{"S":"([^"]*)"\}(?:,"sk":\{"S":"([^"]*)"\})?/g)];
  return [...new Set(parts.map(([, pk, sk]) => (sk && sk !== "#" ? `${pk} ${sk}` : pk)))]
    .map((key) => short(key ?? ""))
    .join(", ");
}

/** Shortens ids, which differ only at their ends: `1c`, and `1c+2` for one derived from it. */
export function short(text: string): string {
  return text
    .replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-([0-9a-f]{8})([0-9a-f]{4})/g,
      (_, count: string, more: string) => {
        const place = Number.parseInt(more, 16);
        return Number.parseInt(count, 16).toString(16) + (place === 0 ? "" : `+${place.toString(16)}`);
      },
    )
    .replace(/ORG#[^#]*#/g, "");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof TransactionCanceledException)) return error instanceof Error ? error.name : "";
  return (error.CancellationReasons ?? []).map(({ Code }) => (Code === "None" ? "-" : Code)).join(",");
}
