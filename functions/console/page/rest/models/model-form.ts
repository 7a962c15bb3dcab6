import type { ModelConfiguration } from "../../../../../shared/contract/model-configuration.ts";
import { coveredProviders } from "../../../../../shared/vocabulary/providers.ts";
import type { FormSchema } from "../../parts/form/schema-fields.ts";

export const modelForm: FormSchema = {
  required: ["name", "provider", "model"],
  properties: {
    name: { type: "string", title: "Name", maxLength: 200 },
    provider: { title: "Provider", enum: Object.values(coveredProviders).flat() },
    model: { type: "string", title: "Model", description: "As its provider names it." },
    description: { type: "string", title: "Description" },
    temperature: {
      type: ["number", "null"],
      title: "Temperature",
      description: "0 to 2; empty: none is sent.",
    },
    max_output_tokens: {
      type: ["integer", "null"],
      title: "Largest number of output tokens",
      description: "Empty: the provider's own bound.",
    },
    timeout_seconds: { type: "integer", title: "Time-out of a call, in seconds", default: 120 },
    additional_params: {
      type: "object",
      title: "The provider's own settings",
      description: "JSON, sent as it is.",
    },
  },
};

export function modelTexts(configuration: ModelConfiguration): Readonly<Record<string, string>> {
  const { name, provider, model, description, temperature, max_output_tokens, timeout_seconds } =
    configuration;
  return {
    name,
    provider,
    model,
    description,
    temperature: temperature === null ? "" : String(temperature),
    max_output_tokens: max_output_tokens === null ? "" : String(max_output_tokens),
    timeout_seconds: String(timeout_seconds),
    additional_params: JSON.stringify(configuration.additional_params, null, 2),
  };
}
