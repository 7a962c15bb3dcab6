import type {
  ExecutionFinder,
  ExecutionStarter,
  ExecutionState,
} from "../../../shared/domain/durable/durable.ts";
import type { JsonObject } from "../../../shared/domain/json.ts";

interface Started {
  readonly name: string;
  readonly payload: JsonObject;
  state: ExecutionState;
}

export class InMemoryExecutions implements ExecutionStarter, ExecutionFinder {
  readonly started: Started[] = [];
  isAway = false;

  async start(name: string, payload: JsonObject): Promise<void> {
    if (this.isAway) throw new Error("Lambda is away");
    if (this.started.every((each) => each.name !== name)) this.started.push({ name, payload, state: "open" });
  }

  async find({ name }: { readonly name: string }): Promise<ExecutionState | undefined> {
    return this.started.find((each) => each.name === name)?.state;
  }

  close(name: string): void {
    const known = this.started.find((each) => each.name === name);
    if (known === undefined) throw new Error(`there is no execution ${name}`);
    known.state = "closed";
  }
}
