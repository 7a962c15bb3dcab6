import * as z from "zod";
import { inputBytesMax } from "../../vocabulary/files.ts";
import { refuseValue, Uuid } from "../fields/common.ts";
import { refusing } from "../fields/exclusions.ts";
import { encodedBytes } from "../fields/json-value.ts";
import { metadataFields } from "../fields/metadata.ts";
import { Parameters, parametersMax, SensitiveParameters } from "../fields/parameters.ts";
import { FileInputs } from "./file-inputs.ts";
import { IsPriority, PoolIds, requireOneTarget, twoTargets } from "./run-bodies.ts";

const stepsMax = 40;

/** A chain is created in one transaction; with metadata each run has a row more in it. */
const stepsAndFilesMax = 44;
const withMetadataMax = 30;

const StepAlias = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/)
  .describe(
    "A name of the step, by which later steps refer to its output: letters, digits, _ and -, beginning with a letter or _.",
  );

export const ChainStep = z
  .strictObject({
    workflow_id: Uuid.describe("The workflow that the step executes."),
    session_alias: StepAlias.optional(),
    inputs: Parameters.optional().describe(
      'The step\'s inputs by name, which override the shared ones. A value `{"$ref": "alias.outputs.path"}` is replaced by an earlier step\'s output.',
    ),
    sensitive_inputs: SensitiveParameters.optional().describe(
      "The step's secret inputs by alias, which override the shared ones; they are never returned.",
    ),
    continue_on_failure: z
      .boolean()
      .default(false)
      .describe("Whether the next step starts even if this one fails."),
  })
  .describe("One run of a chain.");
export type ChainStep = z.infer<typeof ChainStep>;

export const CreateChainBody = z
  .strictObject({
    steps: z.array(ChainStep).min(1).max(stepsMax).describe("The runs, which go one after another."),
    shared_inputs: Parameters.optional().describe("Inputs of every step, by name."),
    shared_sensitive_inputs: SensitiveParameters.optional().describe(
      "Secret inputs of every step, by alias; they are never returned.",
    ),
    shared_file_inputs: FileInputs.optional().describe(
      "Files that are attached to the first step's run and named by all.",
    ),
    keep_session_after_completion: z
      .boolean()
      .default(false)
      .describe("Whether the session stays open when the last step has ended."),
    machine_id: Uuid.optional().describe(
      "The chain's machine. Default: any, or one that is in all `pool_ids`.",
    ),
    pool_ids: PoolIds.optional().describe(
      "Pools that the chain's machine must be in, all of them; in place of `machine_id`.",
    ),
    session_id: Uuid.optional().describe("A session that the chain joins. Default: a new one."),
    metadata: metadataFields.created,
    is_priority: IsPriority.default(false).describe(
      "Whether each run of the chain waits before every run of the organization that has no priority.",
    ),
  })
  .superRefine(requireOneTarget)
  .meta({
    ...refusing(...twoTargets),
    says: [
      `Steps and shared files together are at most ${stepsAndFilesMax}, with \`metadata\` ${withMetadataMax}.`,
      "Each session_alias is of one step.",
      `A step's inputs with the shared ones, and its sensitive ones likewise, are at most ${parametersMax} names and 65,536 bytes of JSON, and the sensitive ones of all steps together have at most 65,536 bytes.`,
      "No alias of a sensitive input begins with `#`, digits and `#`.",
      "A `$ref` alone in an object names the outputs of an earlier step: `alias.outputs`, or a path in them.",
    ],
  })
  .describe("Runs that go one after another on one machine, in one session.")
  .superRefine(requireSound);
export type CreateChainBody = z.infer<typeof CreateChainBody>;

export const CreatedChain = z
  .strictObject({
    session_id: z.guid().describe("The session that the chain's runs belong to."),
    run_ids: z.array(z.guid()).describe("The runs, in the order of the steps."),
  })
  .describe("The runs of a new chain, and their session.");
export type CreatedChain = z.infer<typeof CreatedChain>;

type Path = readonly PropertyKey[];
type Context = z.core.$RefinementCtx;

function requireSound(body: CreateChainBody, context: Context): void {
  const files = body.shared_file_inputs?.length ?? 0;
  const [max, given] = hasPairs(body.metadata) ? [withMetadataMax, " with metadata"] : [stepsAndFilesMax, ""];
  if (body.steps.length + files > max) {
    const error = `steps and shared files together${given} are at most ${max}`;
    refuseValue(context, error, [given === "" ? "shared_file_inputs" : "metadata"]);
  }
  requireOwnAliases(body, context);
  requireMergedBounds(body, context);
  requireSecretsFit(body, context);
  requireReferences(body, context);
}

function hasPairs(metadata: CreateChainBody["metadata"]): boolean {
  return Object.keys(metadata ?? {}).length > 0;
}

function requireOwnAliases({ steps }: CreateChainBody, context: Context): void {
  const seen = new Set<string>();
  for (const [place, { session_alias: alias }] of steps.entries()) {
    if (alias === undefined) continue;
    if (seen.has(alias)) {
      refuseValue(context, "an earlier step has this session_alias", ["steps", place, "session_alias"]);
    }
    seen.add(alias);
  }
}

function requireMergedBounds(body: CreateChainBody, context: Context): void {
  const shared = { inputs: body.shared_inputs, sensitive_inputs: body.shared_sensitive_inputs };
  for (const [place, step] of body.steps.entries()) {
    for (const name of ["inputs", "sensitive_inputs"] as const) {
      const merged = { ...shared[name], ...step[name] };
      const path = ["steps", place, name];
      const count = Object.keys(merged).length;
      if (count > parametersMax) {
        refuseValue(context, `with the shared ones at most ${parametersMax} names, not ${count}`, path);
      } else if (encodedBytes(merged) > inputBytesMax) {
        const error = `with the shared ones at most ${inputBytesMax} bytes of JSON, not ${encodedBytes(merged)}`;
        refuseValue(context, error, path);
      }
    }
  }
}

/** One secret has the values of all steps, a step's own under names that begin with its number. */
function requireSecretsFit({ steps, shared_sensitive_inputs = {} }: CreateChainBody, context: Context): void {
  const own = steps.flatMap(({ sensitive_inputs = {} }, place) =>
    Object.entries(sensitive_inputs).map(([alias, value]) => [`#${place}#${alias}`, value] as const),
  );
  const bytes = encodedBytes({ ...shared_sensitive_inputs, ...Object.fromEntries(own) });
  if (bytes > inputBytesMax) {
    const error = `all sensitive inputs together at most ${inputBytesMax} bytes of JSON, not ${bytes}`;
    refuseValue(context, error, ["steps"]);
  }
  const refuseNumbered = (values: object, path: Path) => {
    for (const alias of Object.keys(values)) {
      if (/^#\d+#/.test(alias))
        refuseValue(context, "an alias does not begin with #number#", [...path, alias]);
    }
  };
  refuseNumbered(shared_sensitive_inputs, ["shared_sensitive_inputs"]);
  for (const [place, { sensitive_inputs = {} }] of steps.entries()) {
    refuseNumbered(sensitive_inputs, ["steps", place, "sensitive_inputs"]);
  }
}

function requireReferences(body: CreateChainBody, context: Context): void {
  const earlier = new Set<string>();
  const refusedShared = new Set<string>();
  for (const [place, { inputs = {}, session_alias: alias }] of body.steps.entries()) {
    for (const { path, problem } of problemsOf(inputs, earlier)) {
      refuseValue(context, problem, ["steps", place, "inputs", ...path]);
    }
    for (const [name, value] of Object.entries(body.shared_inputs ?? {})) {
      if (refusedShared.has(name) || Object.hasOwn(inputs, name)) continue;
      for (const { path, problem } of problemsOf(value, earlier)) {
        refusedShared.add(name);
        const error = `${problem} (step ${place + 1} has no input of that name)`;
        refuseValue(context, error, ["shared_inputs", name, ...path]);
      }
    }
    if (alias !== undefined) earlier.add(alias);
  }
}

interface Problem {
  readonly path: Path;
  readonly problem: string;
}

/** Reading the body has bounded how deeply a value nests. */
function problemsOf(value: unknown, earlier: ReadonlySet<string>, path: Path = []): readonly Problem[] {
  if (typeof value !== "object" || value === null) return [];
  const reference = referenceIn(value);
  if (reference !== undefined) {
    const problem = problemWith(reference.text, earlier);
    return problem === undefined ? [] : [{ path: [...path, "$ref"], problem }];
  }
  const entries: Iterable<[PropertyKey, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value);
  return [...entries].flatMap(([name, item]) => problemsOf(item, earlier, [...path, name]));
}

/** An object with other names beside `$ref` is an ordinary value. */
function referenceIn(value: object): { readonly text: unknown } | undefined {
  const [name, ...others] = Object.keys(value);
  if (Array.isArray(value) || name !== "$ref" || others.length > 0) return undefined;
  return { text: Object.values(value)[0] };
}

function problemWith(text: unknown, earlier: ReadonlySet<string>): string | undefined {
  const found = typeof text === "string" ? /^([A-Za-z_][A-Za-z0-9_-]*)\.outputs(?:\..+)?$/s.exec(text) : null;
  const alias = found?.[1];
  if (alias === undefined)
    return "a reference is written alias.outputs.path, or alias.outputs for all of them";
  return earlier.has(alias) ? undefined : "no earlier step has the session_alias that is referred to";
}
