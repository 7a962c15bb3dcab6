import type { CallResponse } from "../../../../../shared/client/call-types.ts";
import type { Machine } from "../../../../../shared/contract/machine.ts";
import { useCall } from "../../data/use-call.ts";
import { Check } from "../../parts/form/check.tsx";
import { ChoiceField } from "../../parts/form/choice-field.tsx";
import { countOf } from "../count-of.ts";

export interface RunTarget {
  readonly machineId: string;
  readonly poolIds: readonly string[];
}

export const anyMachine: RunTarget = { machineId: "", poolIds: [] };

interface TargetFieldsProps {
  readonly target: RunTarget;
  readonly onTarget: (target: RunTarget, offered: readonly string[]) => void;
}

/** As many as a person chooses from; the API takes any. */
const listedMax = 100;

type ListedMachine = Pick<
  Machine,
  "id" | "name" | "status" | "machine_parameters" | "machine_sensitive_parameters"
>;
type ListedPool = Pick<
  CallResponse<"listPools">["items"][number],
  "id" | "name" | "machine_count" | "pool_parameters" | "pool_sensitive_parameters"
>;

/** A machine, or pools that it must be in, or any. What they give need not be given by the run. */
export function TargetFields({ target, onTarget }: TargetFieldsProps) {
  const { machineId, poolIds } = target;
  const machines = useCall("listMachines", { query: { limit: listedMax } }, { topics: ["machines"] });
  const pools = useCall("listPools", { query: { limit: listedMax } });
  const allMachines: readonly ListedMachine[] = machines.data?.items ?? [];
  const allPools: readonly ListedPool[] = pools.data?.items ?? [];
  const choose = (next: RunTarget) => onTarget(next, offeredBy(next, allMachines, allPools));
  return (
    <>
      <ChoiceField
        label="Machine"
        value={machineId}
        choices={[
          ["", poolIds.length > 0 ? "any of the pools" : "any that is free"],
          ...allMachines.map(
            ({ id, name, status }) =>
              [id, `${name || id}${status === "connected" ? "" : ` (${status})`}`] as const,
          ),
        ]}
        onChoose={(chosen) => choose({ machineId: chosen, poolIds: [] })}
      />
      {machineId === "" && allPools.length > 0 ? (
        <fieldset class="choices">
          <legend>Only machines of these pools</legend>
          {allPools.map(({ id, name, machine_count }) => (
            <Check
              key={id}
              isChecked={poolIds.includes(id)}
              onCheck={(isIn) =>
                choose({
                  machineId: "",
                  poolIds: isIn ? [...poolIds, id] : poolIds.filter((each) => each !== id),
                })
              }
            >
              {name} <small>{countOf(machine_count, "machine")}</small>
            </Check>
          ))}
        </fieldset>
      ) : null}
    </>
  );
}

function offeredBy(
  { machineId, poolIds }: RunTarget,
  machines: readonly ListedMachine[],
  pools: readonly ListedPool[],
): readonly string[] {
  return [
    ...machines
      .filter(({ id }) => id === machineId)
      .flatMap((each) => [
        ...Object.keys(each.machine_parameters),
        ...Object.keys(each.machine_sensitive_parameters),
      ]),
    ...pools
      .filter(({ id }) => poolIds.includes(id))
      .flatMap((each) => [
        ...Object.keys(each.pool_parameters),
        ...Object.keys(each.pool_sensitive_parameters),
      ]),
  ];
}

/** The target's fields of a body. */
export function targetBody({ machineId, poolIds }: RunTarget) {
  if (machineId !== "") return { machine_id: machineId };
  return poolIds.length === 0 ? {} : { pool_ids: [...poolIds] };
}
