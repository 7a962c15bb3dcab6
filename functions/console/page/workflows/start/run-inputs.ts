import type { JsonValue } from "../../../../../shared/contract/fields/json-value.ts";
import type { FieldSchema, SchemaField } from "../../parts/form/schema-fields.ts";
import { fieldsOf } from "../../parts/form/schema-fields.ts";
import { readPrompt } from "../edit/prompt-names.ts";
import { namesOf } from "../edit/schema-rows.ts";

interface AskedWorkflow {
  readonly main_prompt: string;
  readonly input_schema: Readonly<Record<string, unknown>> | null;
  readonly includes_file_exports: boolean;
}

/** What the recording that runs replay names. */
export interface RecordedNames {
  readonly inputs: readonly string[];
  readonly secrets: readonly string[];
}

interface RunInputs {
  readonly fields: readonly SchemaField[];
  /** Names of secrets. */
  readonly secrets: readonly string[];
}

/**
 * What the form of a run asks for: the schema's fields, what else the prompt or a recording names, and secrets.
 *
 * @param offered names that the machine or a pool gives; a run need not.
 */
export function runInputs(
  workflow: AskedWorkflow,
  offered: readonly string[],
  recorded: RecordedNames,
): RunInputs {
  const schema = (workflow.input_schema ?? {}) as FieldSchema;
  const known = namesOf(workflow.input_schema);
  const { names } = readPrompt(workflow.main_prompt, known, workflow.includes_file_exports);
  const plain = names.filter(({ isSecret }) => !isSecret).map(({ name }) => name);
  const others = [...plain, ...recorded.inputs];
  const secret = names.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  const properties = {
    ...schema.properties,
    ...Object.fromEntries(
      others.filter((name) => !known.includes(name)).map((name) => [name, { type: "string" }]),
    ),
  };
  const fields = fieldsOf({ ...schema, properties }).map((field) => ({
    ...field,
    isRequired: field.isRequired && !offered.includes(field.name),
  }));
  return { fields, secrets: [...new Set([...secret, ...recorded.secrets])] };
}

/** The texts of a form's fields, by their names. */
export interface GivenTexts {
  readonly inputs: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export const nothingGiven: GivenTexts = { inputs: {}, secrets: {} };

/** The fields of a body. Empty secrets are left out: the machine or a pool may have them. */
export function inputsBody(
  values: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  given: GivenTexts,
) {
  const pairs = secrets.flatMap((name) => (given.secrets[name] ? [[name, given.secrets[name]]] : []));
  return {
    input_values: values as Record<string, JsonValue>,
    ...(pairs.length > 0 && { sensitive_input_values: Object.fromEntries(pairs) as Record<string, string> }),
  };
}
