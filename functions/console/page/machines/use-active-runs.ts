import { useMemo } from "preact/hooks";
import { useCall } from "../data/use-call.ts";

export interface ActiveRun {
  readonly id: string;
  readonly status: string;
}

/** The runs under way by their machine's id, of one machine or of all. */
export function useActiveRuns(machineId?: string): ReadonlyMap<string, ActiveRun> {
  const query = {
    status: ["running", "scheduling"] as const,
    fields: ["status"] as const,
    limit: 1_000,
    ...(machineId !== undefined && { machine_id: machineId }),
  };
  const topics = machineId === undefined ? ["runs"] : ["runs", `machine:${machineId}`];
  const { data } = useCall("listRuns", { query }, { topics });
  return useMemo(() => {
    const runs = new Map<string, ActiveRun>();
    for (const { id, status, machine_id } of data?.items ?? []) {
      const isTaken = machine_id !== null && runs.get(machine_id)?.status === "running";
      if (machine_id !== null && !isTaken) runs.set(machine_id, { id, status });
    }
    return runs;
  }, [data]);
}
