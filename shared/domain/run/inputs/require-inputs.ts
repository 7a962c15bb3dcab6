import { InvalidInput, type InvalidItem, valueError } from "../../invalid-input.ts";
import type { JsonObject } from "../../json.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { InputCheck, InputChecker, InputError } from "../../workflow/input-checker.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { defaultSettings, type RunSettings } from "../create/new-run.ts";
import type { Run } from "../run.ts";
import type { InputSourceStore, StoredInputSources } from "./input-source-store.ts";
import { mergedTooLarge, mergeInputs } from "./merge-inputs.ts";
import { checkInputs } from "./prepare-inputs.ts";
import { hasReference } from "./resolve-references.ts";

export interface RequireInputsDeps {
  readonly inputSources: InputSourceStore;
  readonly inputChecker: Pick<InputChecker, "check">;
}

export interface InputsOfRun
  extends Pick<Run, "workflowId" | "machineId">,
    Partial<Pick<Run, "poolIds" | "inputValues" | "sensitiveAliases" | "chainId">> {
  readonly sensitiveValues?: Readonly<Record<string, unknown>>;
}

/**
 * A run without a known machine has each value checked by its `properties.<name>` alone, since the machine may add
 * others. Makes one batch read; the write reports missing resources.
 * @throws {InvalidInput} with the path of each problem below `input_values`.
 */
export async function requireInputs(
  deps: RequireInputsDeps,
  organizationId: OrganizationId,
  input: InputsOfRun,
): Promise<RunSettings> {
  const { workflowId, machineId, poolIds = [] } = input;
  const isWhole = machineId !== null && !isReferring(input);
  const sources = await deps.inputSources.read(organizationId, {
    workflowId,
    ...(isWhole ? { machineId, poolIds } : { machineId: null, poolIds: [] }),
  });
  return await requireInputsOf(deps, organizationId, input, sources);
}

/** @throws {InvalidInput} as `requireInputs`, which reads what this is given. */
export async function requireInputsOf(
  deps: Pick<RequireInputsDeps, "inputChecker">,
  organizationId: OrganizationId,
  input: InputsOfRun,
  { workflow, machine, pools }: StoredInputSources,
): Promise<RunSettings> {
  if (workflow === undefined) return defaultSettings;
  const { inputValues = {} } = input;
  const of = { organizationId, workflowId: workflow.id };
  const { executor, isWebhooksEnabled } = workflow;
  const isWhole = input.machineId !== null && !isReferring(input);
  if (!isWhole) {
    await requireEach(deps, workflow, of, isReferring(input) ? withoutReferences(inputValues) : inputValues);
  }
  if (!isWhole || machine === undefined) return { executor, isWebhooksEnabled };
  const run = {
    inputValues,
    sensitiveAliases: input.sensitiveAliases ?? Object.keys(input.sensitiveValues ?? {}),
  };
  const merged = mergeInputs({ run, machine, pools });
  const size = mergedTooLarge(merged);
  if (size !== undefined)
    throw new InvalidInput([valueError(place([]), `with those of the machine and the pools, ${size}`)]);
  const judge = { schema: workflow.inputSchema, of };
  requireValid(await checkInputs(deps.inputChecker, judge, merged, run.sensitiveAliases));
  return { executor, isWebhooksEnabled };
}

/** References can be resolved only when the earlier steps have ended. */
function isReferring({ chainId, inputValues = {} }: InputsOfRun): boolean {
  return typeof chainId === "string" && hasReference(inputValues);
}

async function requireEach(
  deps: Pick<RequireInputsDeps, "inputChecker">,
  { inputSchema }: Pick<Workflow, "inputSchema">,
  of: { readonly organizationId: OrganizationId; readonly workflowId: string },
  values: JsonObject,
): Promise<void> {
  if (Object.keys(values).length === 0 || inputSchema === null) return;
  const check = await deps.inputChecker.check(valuesAlone(inputSchema), values, { of });
  // The part of the schema may refer to parts that are left out; the assignment checks the whole.
  if (check.kind !== "schema_unusable") requireValid(check);
}

function withoutReferences(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !hasReference({ value })));
}

function valuesAlone(schema: JsonObject): JsonObject {
  const words = ["$schema", "$id", "$defs", "definitions", "properties"];
  return Object.fromEntries(Object.entries(schema).filter(([word]) => words.includes(word)));
}

function requireValid(check: InputCheck): void {
  const items = itemsOf(check);
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
      return [valueError(place([]), `the workflow's input_schema: ${check.message}`)];
  }
}

function itemOf({ path, message, reason }: InputError): InvalidItem {
  switch (reason) {
    case "missing":
      return { loc: place(path), msg: "Field required", type: "missing" };
    case "not_allowed":
      return { loc: place(path), msg: "Extra inputs are not permitted", type: "extra_forbidden" };
    case "invalid":
      return valueError(place(path), message);
  }
}

function place(path: InputError["path"]): InvalidItem["loc"] {
  return ["body", "input_values", ...path];
}
