import type { Run } from "../../../shared/domain/run/run.ts";
import { runningIn } from "../../../shared/storage/execution/executions-under-way.ts";
import {
  executionPlaceOf,
  keptAttribute,
  serviceExecutionsKind,
} from "../../../shared/storage/execution/service-executions.ts";
import type { ModelRecord } from "../dynamo-model/dynamo-model.ts";
import { Violation } from "./step-invariants.ts";
import { plain } from "./view.ts";

/** The limit of the executions of all organizations, over their runs as they are. */
export class ServiceInvariants {
  readonly #max: number;
  readonly #executedRuns: () => readonly Run[];
  readonly #places = new Map<string, ReadonlySet<string>>();
  readonly #kept = new Set<string>();
  readonly #line = new Set<string>();

  constructor(max: number, executedRuns: () => readonly Run[]) {
    this.#max = max;
    this.#executedRuns = executedRuns;
  }

  get isFull(): boolean {
    return this.#executedRuns().length >= this.#max;
  }

  /** @param records of the one call that was just made. */
  check(records: readonly ModelRecord[]): void {
    for (const { dynamodb } of records) this.#apply(dynamodb);
    const runs = this.#executedRuns();
    if (runs.length > this.#max) {
      throw new Violation(
        `of ${this.#max} runs the service carries out ${runs.map(({ id }) => id).join(" ")}`,
      );
    }
    const places = [...this.#places.values()].flatMap((running) => [...running]);
    const expected = runs.map(executionPlaceOf);
    if (places.length === expected.length && expected.every((place) => places.includes(place))) return;
    throw new Violation(`of ${expected.join(" ")} the shards have ${places.join(" ")}`);
  }

  checkAtRest(): void {
    if (this.isFull) return;
    if (this.#line.size > 0)
      throw new Violation(`${[...this.#line].join(" ")} wait in the line for free places`);
    if (this.#kept.size > 0) throw new Violation(`${[...this.#kept].join(" ")} are kept, and nobody waits`);
  }

  #apply({ Keys, NewImage, OldImage }: ModelRecord["dynamodb"]): void {
    const after = NewImage && plain(NewImage);
    const before = OldImage && plain(OldImage);
    const pk = Keys.pk?.S ?? "";
    const kind = (after ?? before)?.kind;
    if (kind === serviceExecutionsKind) {
      this.#places.set(pk, runningIn(after));
      mark(this.#kept, pk, after?.[keptAttribute] === true);
    }
    if (kind === "service_line") mark(this.#line, Keys.sk?.S ?? "", after !== undefined);
  }
}

function mark(all: Set<string>, row: string, isThere: boolean): void {
  if (isThere) all.add(row);
  else all.delete(row);
}
