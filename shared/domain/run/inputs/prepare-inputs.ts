import type { Json, JsonObject } from "../../json.ts";
import type { InputCheck, InputChecker, InputError } from "./input-checker.ts";
import { type InputSources, type MergedInputs, mergedTooLarge, mergeInputs } from "./merge-inputs.ts";
import { resolveReferences } from "./resolve-references.ts";

export interface PrepareInputs extends InputSources {
  /** The workflow's input_schema; null: anything goes. */
  readonly schema: JsonObject | null;
  /**
   * For a step of a chain: output_data of an earlier step by its `session_alias` (null when it gave none), undefined
   * when there is no such step. Without it, what looks like a reference is a value.
   */
  readonly outputsOf?: ((alias: string) => Json | undefined) | undefined;
}

export type PreparedInputs =
  | ({ readonly kind: "ready" } & Omit<MergedInputs, "inherited">)
  /** One sentence each, as they go into the run's `error`. */
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

/**
 * What a run is given at its assignment: its references resolved, merged with what its machine and pools give, and
 * checked by the workflow's input_schema.
 */
export async function prepareInputs(
  checker: Pick<InputChecker, "check">,
  { run, machine, pools, schema, outputsOf }: PrepareInputs,
): Promise<PreparedInputs> {
  const resolved = outputsOf === undefined ? undefined : resolveReferences(run.inputValues, outputsOf);
  if (resolved !== undefined && resolved.kind !== "resolved") return refused(resolved.message);
  const own = { ...run, inputValues: resolved?.inputs ?? run.inputValues };
  const merged = mergeInputs({ run: own, machine, pools });
  const size = mergedTooLarge(merged);
  if (size !== undefined) return refused(size);
  const reasons = reasonsOf(await checkInputs(checker, schema, merged, run.sensitiveAliases));
  if (reasons.length > 0) return refused(...reasons);
  const { inputValues, inheritedSecrets } = merged;
  return { kind: "ready", inputValues, inheritedSecrets };
}

/**
 * Whether merged inputs are what the workflow's input_schema asks for. Secrets, the run's and the inherited ones, count
 * as there. What a machine or a pool brings along and the schema does not know is passed over, since they serve many
 * workflows.
 *
 * @param sensitiveAliases the run's own.
 */
export async function checkInputs(
  checker: Pick<InputChecker, "check">,
  schema: JsonObject | null,
  { inputValues, inheritedSecrets, inherited }: MergedInputs,
  sensitiveAliases: readonly string[],
): Promise<InputCheck> {
  if (schema === null) return { kind: "valid" };
  const options = {
    sensitiveAliases: [...sensitiveAliases, ...Object.keys(inheritedSecrets)],
    inherited,
  };
  return await checker.check(schema, inputValues, options);
}

function reasonsOf(check: InputCheck): readonly string[] {
  switch (check.kind) {
    case "valid":
      return [];
    case "invalid":
      return summary(check.errors);
    case "schema_unusable":
    case "schema_too_slow":
      return [`the workflow's input_schema: ${check.message}`];
  }
}

/** As many as a run's `error` takes beside others. */
const reasonsMax = 10;

function summary(errors: readonly InputError[]): readonly string[] {
  const said = errors
    .slice(0, reasonsMax)
    .map(({ path, message }) => shortened(`${["input_values", ...path].join(".")} ${message}`));
  const more = errors.length - said.length;
  return more > 0 ? [...said, `and ${more} more`] : said;
}

/** So that all of them fit the run beside its inputs. */
const reasonCharactersMax = 1_000;

function shortened(reason: string): string {
  return reason.length > reasonCharactersMax ? `…${reason.slice(-reasonCharactersMax)}` : reason;
}

function refused(...reasons: readonly string[]): PreparedInputs {
  return { kind: "refused", reasons };
}
