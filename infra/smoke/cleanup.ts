import { ApiError } from "../../shared/client/api-error.ts";
import { SmokeFailure } from "./smoke-failure.ts";

interface Removal {
  readonly what: string;
  readonly remove: () => Promise<unknown>;
}

/** Resources are removed in reverse order; a removal that fails does not stop the others. */
export class Cleanup {
  readonly #removals: Removal[] = [];

  add(what: string, remove: () => Promise<unknown>): void {
    this.#removals.push({ what, remove });
  }

  /** @returns the number of things removed. @throws {SmokeFailure} that names what is left. */
  async run(): Promise<number> {
    const left: string[] = [];
    const removals = this.#removals.splice(0).reverse();
    for (const { what, remove } of removals) {
      try {
        await remove();
      } catch (error) {
        const isGone = error instanceof ApiError && error.errorCode === "not_found";
        if (!isGone) left.push(what);
      }
    }
    if (left.length > 0) throw new SmokeFailure("what is left", `not removed: ${left.join(", ")}`);
    return removals.length;
  }
}
