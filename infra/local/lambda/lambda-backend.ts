import type { FunctionModel } from "../template/application.ts";
import type { Clock } from "./durable/clock.ts";
import type { DurableEngine } from "./durable/durable-engine.ts";
import type { LambdaService } from "./lambda-service.ts";

export interface LambdaBackend {
  readonly functions: readonly FunctionModel[];
  readonly lambda: Pick<LambdaService, "invoke" | "invokeAsync">;
  readonly engine: DurableEngine;
  readonly clock: Clock;
}
