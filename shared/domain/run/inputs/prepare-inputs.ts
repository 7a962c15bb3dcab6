import type { Json, JsonObject } from "../../json.ts";
import type {
  InputCheck,
  InputChecker,
  InputCheckOptions,
  InputError,
} from "../../workflow/input-checker.ts";
import type { Run } from "../run.ts";
import { type InputSources, type MergedInputs, mergedTooLarge, mergeInputs } from "./merge-inputs.ts";
import { resolveReferences } from "./resolve-references.ts";

export interface PrepareInputs extends InputSources {
  /** The workflow's input_schema; null: anything is valid. */
  readonly schema: JsonObject | null;
  /** Whose schema it is. */
  readonly of: NonNullable<InputCheckOptions["of"]>;
  /**
   * For a step of a chain: output_data of an earlier step by its `session_alias` (null when it has none), undefined
   * when there is no such step. Absent: what looks like a reference is an ordinary value.
   */
  readonly outputsOf?: ((alias: string) => Json | undefined) | undefined;
}

/** Frozen at the assignment. */
export type AssignedInputs = Pick<Run, "inputValues" | "inheritedSecrets" | "inheritedNames">;

export type PreparedInputs =
  | ({ readonly kind: "ready" } & AssignedInputs)
  /** One sentence each, as written to the run's `error`. */
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

/**
 * A run's inputs for its assignment: references resolved, merged with its machine's and pools' parameters, and checked
 * by the workflow's input_schema.
 */
export async function prepareInputs(
  checker: Pick<InputChecker, "check">,
  { run, machine, pools, schema, of, outputsOf }: PrepareInputs,
): Promise<PreparedInputs> {
  const resolved = outputsOf === undefined ? undefined : resolveReferences(run.inputValues, outputsOf);
  if (resolved !== undefined && resolved.kind !== "resolved") return refused(resolved.message);
  const own = { ...run, inputValues: resolved?.inputs ?? run.inputValues };
  const merged = mergeInputs({ run: own, machine, pools });
  const size = mergedTooLarge(merged);
  if (size !== undefined) return refused(size);
  const reasons = reasonsOf(await checkInputs(checker, { schema, of }, merged, run.sensitiveAliases));
  if (reasons.length > 0) return refused(...reasons);
  const { inputValues, inheritedSecrets, inherited } = merged;
  const inheritedNames = inherited.filter((name) => Object.hasOwn(inputValues, name));
  return { kind: "ready", inputValues, inheritedSecrets, inheritedNames };
}

/**
 * Checks merged inputs by the workflow's input_schema. Secrets, own and inherited, count as present. Inherited names
 * that the schema does not define are ignored, since machines and pools serve many workflows.
 *
 * @param sensitiveAliases the run's own.
 */
export async function checkInputs(
  checker: Pick<InputChecker, "check">,
  { schema, of }: Pick<PrepareInputs, "schema" | "of">,
  { inputValues, inheritedSecrets, inherited }: MergedInputs,
  sensitiveAliases: readonly string[],
): Promise<InputCheck> {
  if (schema === null) return { kind: "valid" };
  const options = {
    sensitiveAliases: [...sensitiveAliases, ...Object.keys(inheritedSecrets)],
    inherited,
    of,
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

/** Maximum reasons in a run's `error`. */
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
