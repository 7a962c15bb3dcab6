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
  readonly schema: JsonObject | null;
  readonly of: NonNullable<InputCheckOptions["of"]>;
  /** Returns an earlier step's output_data: null if it has none, undefined without the step. @default no references */
  readonly outputsOf?: ((alias: string) => Json | undefined) | undefined;
}

export type AssignedInputs = Pick<Run, "inputValues" | "inheritedSecrets" | "inheritedNames">;

export type PreparedInputs =
  | ({ readonly kind: "ready" } & AssignedInputs)
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

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

/** Secrets count as present. Inherited names that the schema does not define are ignored. */
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

const reasonsMax = 10;

function summary(errors: readonly InputError[]): readonly string[] {
  const said = errors
    .slice(0, reasonsMax)
    .map(({ path, message }) => shortened(`${["input_values", ...path].join(".")} ${message}`));
  const more = errors.length - said.length;
  return more > 0 ? [...said, `and ${more} more`] : said;
}

/** All reasons must fit the run beside its inputs. */
const reasonCharactersMax = 1_000;

function shortened(reason: string): string {
  return reason.length > reasonCharactersMax ? `…${reason.slice(-reasonCharactersMax)}` : reason;
}

function refused(...reasons: readonly string[]): PreparedInputs {
  return { kind: "refused", reasons };
}
