import type { Hono } from "hono";
import { machineHealthOperations } from "../../shared/contract/operations/machine-health-operations.ts";
import { type ProbeMachinesDeps, probeMachines } from "../../shared/domain/health/probe-machines.ts";
import type { DriverChannel, Requester } from "../../shared/domain/tunnel/driver-channel.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import { statusOf } from "../../shared/http/errors/error-response.ts";
import type { AccessDeps, AppDeps, RateLimitDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { presentReport } from "./present-report.ts";

export type MachineHealthDeps = AppDeps &
  AccessDeps &
  RateLimitDeps &
  Pick<ProbeMachinesDeps, "machines" | "connections" | "organizationCallsMax"> & {
    readonly openChannel: (requester: Requester) => DriverChannel;
  };

export function createMachineHealthApp(deps: MachineHealthDeps): Hono<HttpEnv> {
  return createCallersApp(deps, machineHealthOperations, {
    probeMachines: async ({ c, caller }) => {
      const { machines, connections, organizationCallsMax, clock, ids } = deps;
      const channel = deps.openChannel(c.var);
      const probing = { machines, connections, organizationCallsMax, channel, clock, ids, statusOf };
      return presentReport(await probeMachines(probing, caller));
    },
  });
}
