import type { OrganizationId } from "../../access/organization-id.ts";
import { InvalidInput, type InvalidItem } from "../../invalid-input.ts";
import type { Run } from "../run.ts";
import type { InputCheck, InputChecker, InputError } from "./input-checker.ts";
import type { InputSourceStore } from "./input-source-store.ts";
import { mergedTooLarge, mergeInputs } from "./merge-inputs.ts";
import { checkInputs } from "./prepare-inputs.ts";
import { hasReference } from "./resolve-references.ts";

export interface RequireInputsDeps {
  readonly inputSources: InputSourceStore;
  readonly inputChecker: Pick<InputChecker, "check">;
}

/** What a request says, or what a run is. */
export interface InputsOfRun
  extends Pick<Run, "workflowId" | "machineId">,
    Partial<Pick<Run, "poolIds" | "inputValues" | "sensitiveAliases" | "chainId">> {
  /** In place of the aliases: only the names are looked at. */
  readonly sensitiveValues?: Readonly<Record<string, unknown>>;
}

/**
 * Refuses inputs that a run could not begin with, while the caller is still there to repair them. Only a run whose machine
 * is known can be judged: what the others inherit turns out when they are given to a machine, and they are judged then.
 * One batch read, none without a machine.
 *
 * What is not there at all is left to the write, which says so.
 *
 * @throws {InvalidInput} with the place of each problem below `input_values`.
 */
export async function requireInputs(
  deps: RequireInputsDeps,
  organizationId: OrganizationId,
  { workflowId, machineId, poolIds = [], inputValues = {}, ...input }: InputsOfRun,
): Promise<void> {
  if (machineId === null) return;
  // What its references stand for is known when the steps before it have ended.
  if (typeof input.chainId === "string" && hasReference(inputValues)) return;
  const { workflow, machine, pools } = await deps.inputSources.read(organizationId, {
    ...{ workflowId, machineId, poolIds },
  });
  if (workflow === undefined || machine === undefined) return;
  const run = {
    inputValues,
    sensitiveAliases: input.sensitiveAliases ?? Object.keys(input.sensitiveValues ?? {}),
  };
  const merged = mergeInputs({ run, machine, pools });
  const size = mergedTooLarge(merged);
  if (size !== undefined)
    throw new InvalidInput([valueError([], `with those of the machine and the pools, ${size}`)]);
  const items = itemsOf(
    await checkInputs(deps.inputChecker, workflow.inputSchema, merged, run.sensitiveAliases),
  );
  if (items.length > 0) throw new InvalidInput(items);
}

function itemsOf(check: InputCheck): readonly InvalidItem[] {
  switch (check.kind) {
    case "valid":
      return [];
    case "invalid":
      return check.errors.map(itemOf);
    case "schema_unusable":
    case "schema_too_slow":
      return [valueError([], `the workflow's input_schema: ${check.message}`)];
  }
}

function itemOf({ path, message, reason }: InputError): InvalidItem {
  switch (reason) {
    case "missing":
      return { loc: place(path), msg: "Field required", type: "missing" };
    case "not_allowed":
      return { loc: place(path), msg: "Extra inputs are not permitted", type: "extra_forbidden" };
    case "invalid":
      return valueError(path, message);
  }
}

function valueError(path: InputError["path"], error: string): InvalidItem {
  return { loc: place(path), msg: `Value error, ${error}`, type: "value_error", ctx: { error } };
}

function place(path: InputError["path"]): InvalidItem["loc"] {
  return ["body", "input_values", ...path];
}
