import * as z from "zod";
import { coveredProviders } from "../vocabulary/providers.ts";
import { OrganizationId } from "./fields/common.ts";
import { example } from "./fields/example.ts";
import { jsonObject } from "./fields/json-value.ts";
import { withOtherNames } from "./fields/other-names.ts";
import { name, text } from "./fields/text.ts";

export const CoveredProvider = z
  .enum(Object.values(coveredProviders).flat())
  .describe("A provider of AI models that the service can call.");

/** A name is part of some providers' addresses, so no part of it may be `.` or `..`. */
const modelName = /^(?!(?:.*[:/])?\.{1,2}(?:[:/]|$))[\w.@-]+(?:[:/][\w.@-]+)*$/;

const ModelName = example(text(1, 255).regex(modelName), "claude-sonnet-4-5").describe(
  "The model, as its provider names it, such as `claude-sonnet-4-5`.",
);

export const ModelMetadata = z
  .strictObject({
    provider: CoveredProvider.describe("The provider that serves the model."),
    model: ModelName,
  })
  .describe("A model, by its provider and its name.");

export const fallbacksMax = 2;

const additionalParamsBytesMax = 4_096;

const settings = {
  description: text(0, 1_000).optional().describe("The configuration's purpose, for people. Default: empty."),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .optional()
    .describe("The model's sampling temperature. Default null: none is sent, since newer models refuse it."),
  max_output_tokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .optional()
    .describe("Largest number of tokens that one call may write. Default null: the provider's own bound."),
  timeout_seconds: z
    .int()
    .min(10)
    .max(600)
    .optional()
    .describe("Time that one call to the model may take, in seconds. Default 120."),
  additional_params: jsonObject(additionalParamsBytesMax)
    .optional()
    .describe("The provider's own settings, sent as they are."),
  is_computer_use_model: z
    .boolean()
    .optional()
    .describe(
      "A note for people and programs: the service shows the screen to whichever model a run names. Default true.",
    ),
  is_archived: z
    .boolean()
    .refine(
      (isArchived) => !isArchived,
      "a configuration is deleted, not archived; send false, null or nothing",
    )
    .meta({ not: { const: true } })
    .optional()
    .describe("Only false or null: a configuration that is not wanted any more is deleted."),
  api_key: z
    .string()
    .max(0)
    .optional()
    .describe("Only null or empty: keys of providers are put into the slots of provider credentials."),
};

const fields = z.strictObject({
  name: name(1, 255).describe("The configuration's name, unique among the organization's and the service's."),
  provider: CoveredProvider.describe("The provider that serves the model."),
  model: ModelName,
  ...settings,
});

const otherNames = { max_tokens: "max_output_tokens" } as const;

export const CreateModelConfigurationBody = withOtherNames(fields, otherNames).describe(
  "A model to use for runs, with the settings of its calls.",
);
export type CreateModelConfigurationBody = z.infer<typeof CreateModelConfigurationBody>;

export const UpdateModelConfigurationBody = withOtherNames(fields.partial(), otherNames).describe(
  "Changes of a model configuration: only the fields provided are changed. additional_params is replaced as a whole, and `{}` clears it.",
);
export type UpdateModelConfigurationBody = z.infer<typeof UpdateModelConfigurationBody>;

export const ModelConfiguration = z
  .strictObject({
    id: z.uuid().describe("The model configuration's id."),
    name: z.string().min(1).describe("The configuration's name, unique in the organization."),
    organization_id: OrganizationId.nullable().describe(
      "The organization that the configuration belongs to; null for one of the service's own.",
    ),
    is_system: z
      .boolean()
      .describe("Whether the configuration is one of the service's own, which nobody can change."),
    is_system_default: z.boolean().describe("The same as `is_system`."),
    provider: CoveredProvider.describe("The provider that serves the model."),
    model: example(z.string().min(1), "claude-sonnet-4-5").describe("The model, as its provider names it."),
    description: z.string().describe("The configuration's purpose, for people."),
    temperature: z.number().nullable().describe("The model's sampling temperature; null if none is sent."),
    max_output_tokens: z
      .int()
      .nullable()
      .describe("Largest number of tokens that one call may write; null for the provider's own bound."),
    max_tokens: z.int().nullable().describe("The same as `max_output_tokens`."),
    timeout_seconds: z.int().describe("Time that one call to the model may take, in seconds."),
    additional_params: z
      .record(z.string(), z.unknown())
      .describe("The provider's own settings, sent as they are."),
    is_computer_use_model: z
      .boolean()
      .describe("A note for people and programs, which has no effect: every model is shown the screen."),
    is_archived: z
      .boolean()
      .describe("Always false: a configuration that is not wanted any more is deleted."),
    api_key: z
      .string()
      .nullable()
      .describe("Always null: keys of providers are in the slots of provider credentials."),
    created_at: z.iso.datetime().describe("Time at which the configuration was created."),
    updated_at: z.iso.datetime().describe("Time at which the configuration was last changed."),
  })
  .describe("A model, with the settings of its calls.");
export type ModelConfiguration = z.infer<typeof ModelConfiguration>;
