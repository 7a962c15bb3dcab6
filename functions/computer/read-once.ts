import type { ComputerDeps } from "../../shared/domain/computer/computer-deps.ts";

type Machines = ComputerDeps["machines"];

/** A request reads the row of its one machine once, for all of its parts. */
export function readOnce(machines: Machines): Machines {
  let found: ReturnType<Machines["findWithCalls"]> | undefined;
  return {
    findWithCalls: (...named) => {
      found ??= machines.findWithCalls(...named);
      return found;
    },
  };
}
