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

/** The fields of a request or of a run. */
export interface InputsOfRun
  extends Pick<Run, "workflowId" | "machineId">,
    Partial<Pick<Run, "poolIds" | "inputValues" | "sensitiveAliases" | "chainId">> {
  /** Instead of the aliases: only the names are used. */
  readonly sensitiveValues?: Readonly<Record<string, unknown>>;
}

/**
 * Rejects inputs that a run could not begin with, while the caller can still correct them. Only a run with a known
 * machine can be checked; what others inherit, and so their check, depends on the assignment. One batch read, none
 * without a machine.
 *
 * Missing resources are left to the write, which reports them.
 *
 * @throws {InvalidInput} with the path of each problem below `input_values`.
 */
export async function requireInputs(
  deps: RequireInputsDeps,
  organizationId: OrganizationId,
  { workflowId, machineId, poolIds = [], inputValues = {}, ...input }: InputsOfRun,
): Promise<void> {
  if (machineId === null) return;
  // Its references can be resolved only when the earlier steps have ended.
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
    await checkInputs(
      deps.inputChecker,
      { schema: workflow.inputSchema, of: { organizationId, workflowId } },
      merged,
      run.sensitiveAliases,
    ),
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
