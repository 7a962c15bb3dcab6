import * as z from "zod";
import { coveredProviders } from "../vocabulary/providers.ts";
import { Uuid } from "./fields/common.ts";
import { jsonObject } from "./fields/json-value.ts";
import { text } from "./fields/text.ts";

/** The providers that a slot of provider credentials covers. */
export const CoveredProvider = z.enum(Object.values(coveredProviders).flat());

const ModelName = text(1, 255).describe("As the provider names it.");

export const ModelMetadata = z.strictObject({ provider: CoveredProvider, model: ModelName });

/** Most configurations that are tried after the first one. */
export const fallbacksMax = 2;

/** Largest additional_params, in bytes of JSON. */
export const additionalParamsBytesMax = 4_096;

const settings = {
  description: text(0, 1_000).optional(),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .optional()
    .describe("Default null: not sent, since newer models refuse it."),
  max_output_tokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .optional()
    .describe("Of one call. Default null: the provider's own."),
  timeout_seconds: z.int().min(10).max(600).optional().describe("Of one call. Default 120."),
  additional_params: jsonObject(additionalParamsBytesMax)
    .optional()
    .describe("The provider's own settings, sent as they are; at most 4 KB (4,096 bytes) of JSON."),
};

export const CreateModelConfigurationBody = z.strictObject({
  name: text(1, 255).describe("Unique in the organization, and none of the service's own."),
  provider: CoveredProvider,
  model: ModelName,
  ...settings,
});
export type CreateModelConfigurationBody = z.infer<typeof CreateModelConfigurationBody>;

/** Only the fields provided are changed; additional_params is replaced as a whole, `{}` clears it. */
export const UpdateModelConfigurationBody = CreateModelConfigurationBody.partial();
export type UpdateModelConfigurationBody = z.infer<typeof UpdateModelConfigurationBody>;

export const ModelConfigurationPath = z.strictObject({ model_configuration_id: Uuid });

export const ModelConfiguration = z.strictObject({
  id: z.uuid(),
  name: z.string().min(1),
  organization_id: z.string().nullable().describe("Null for the service's own."),
  is_system: z.boolean().describe("Whether it is the service's own, which nobody changes."),
  provider: CoveredProvider,
  model: z.string().min(1),
  description: z.string(),
  temperature: z.number().nullable(),
  max_output_tokens: z.int().nullable(),
  timeout_seconds: z.int(),
  additional_params: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type ModelConfiguration = z.infer<typeof ModelConfiguration>;
