import * as z from "zod";
import {
  CreateModelConfigurationBody,
  ModelConfiguration,
  UpdateModelConfigurationBody,
} from "../model-configuration.ts";
import { defineOperations, deleted, reading, writing } from "./operation.ts";

const nameTaken = "`name_taken`: another one has this name, whose id is in `details`";
const notYours = "`conflict`: it is the service's own";

const modelConfigurations = z.array(ModelConfiguration);

export const modelConfigurationOperations = defineOperations("Model configurations", [
  {
    ...reading,
    id: "listModelConfigurations",
    path: "/v1/model-configurations",
    summary: "Lists models and how they are asked",
    description:
      "The list has all configurations: the service's own first (`is_system`), then the organization's, oldest first. Workflows name them by `model_configuration_id` and `fallback_model_configuration_ids`.",
    responses: { 200: { description: "The configurations.", schema: modelConfigurations } },
  },
  {
    ...writing("POST"),
    id: "createModelConfiguration",
    writes: "model_configuration",
    path: "/v1/model-configurations",
    summary: "Creates a model configuration",
    description:
      "A model, and how it is asked. Whether the provider knows the model shows with the first run that needs it: one that it does not know ends as `model_not_found`.",
    body: CreateModelConfigurationBody,
    example: { name: "Careful", provider: "anthropic", model: "claude-opus-5-5", timeout_seconds: 300 },
    responses: { 201: { description: "The configuration.", schema: ModelConfiguration } },
    refusals: { 409: `${nameTaken}; \`limit_reached\`: the organization has 100.` },
  },
  {
    ...reading,
    id: "getModelConfiguration",
    path: "/v1/model-configurations/{model_configuration_id}",
    summary: "Reads one model configuration",
    responses: { 200: { description: "The configuration.", schema: ModelConfiguration } },
  },
  {
    ...writing("PATCH"),
    id: "updateModelConfiguration",
    writes: "model_configuration",
    path: "/v1/model-configurations/{model_configuration_id}",
    summary: "Updates a model configuration",
    description:
      "Only the fields provided are changed. Runs that have begun keep what they began with; those that wait begin with what it is then.",
    body: UpdateModelConfigurationBody,
    example: { temperature: null, max_output_tokens: 8_192 },
    responses: { 200: { description: "The configuration.", schema: ModelConfiguration } },
    refusals: { 409: `${nameTaken}; ${notYours}.` },
  },
  {
    ...writing("DELETE"),
    id: "deleteModelConfiguration",
    writes: "model_configuration",
    path: "/v1/model-configurations/{model_configuration_id}",
    summary: "Deletes a model configuration",
    description:
      "Refused while a workflow names it; a deleted workflow counts until its deletion is finished, shortly after. A run that waits and overrides its workflow's model by it ends as `model_configuration_missing`.",
    responses: deleted,
    refusals: {
      409: `\`conflict\`: workflows name it, how many is in \`details\`; ${notYours}.`,
    },
  },
]);
