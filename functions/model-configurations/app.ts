import type { Hono } from "hono";
import type {
  UpdateModelConfigurationBody,
  ModelConfiguration as WireConfiguration,
} from "../../shared/contract/model-configuration.ts";
import { modelConfigurationOperations } from "../../shared/contract/operations/model-configuration-operations.ts";
import { createModelConfiguration } from "../../shared/domain/model-configuration/create-model-configuration.ts";
import { deleteModelConfiguration } from "../../shared/domain/model-configuration/delete-model-configuration.ts";
import type { ModelConfiguration } from "../../shared/domain/model-configuration/model-configuration.ts";
import type { ModelConfigurationDeps } from "../../shared/domain/model-configuration/model-configuration-deps.ts";
import {
  getModelConfiguration,
  listModelConfigurations,
} from "../../shared/domain/model-configuration/read-model-configurations.ts";
import { updateModelConfiguration } from "../../shared/domain/model-configuration/update-model-configuration.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { given, inCamelCase } from "../../shared/http/request/given.ts";

export interface ModelConfigurationsDeps
  extends HttpDeps,
    Pick<ModelConfigurationDeps, "modelConfigurations"> {}

export function createModelConfigurationsApp(deps: ModelConfigurationsDeps): Hono<HttpEnv> {
  return createCallersApp(deps, modelConfigurationOperations, {
    listModelConfigurations: async ({ caller }) => (await listModelConfigurations(deps, caller)).map(present),
    createModelConfiguration: async ({ body, write }) => {
      const { name, provider, model, ...settings } = kept(body);
      const input = { name, provider, model, ...given(inCamelCase(settings)) };
      return present(await write(createModelConfiguration, input));
    },
    getModelConfiguration: async ({ caller, path }) =>
      present(await getModelConfiguration(deps, caller, { id: path.model_configuration_id })),
    updateModelConfiguration: async ({ path, body, write }) => {
      const input = { ...given(inCamelCase(kept(body))), id: path.model_configuration_id };
      return present(await write(updateModelConfiguration, input));
    },
    deleteModelConfiguration: ({ path, write }) =>
      write(deleteModelConfiguration, { id: path.model_configuration_id }),
  });
}

/** Leaves out fields that can have one value only. */
function kept<Body extends UpdateModelConfigurationBody>({
  is_archived: _archived,
  api_key: _key,
  ...body
}: Body) {
  return body;
}

function present(configuration: ModelConfiguration): WireConfiguration {
  const isSystem = configuration.organizationId === null;
  return {
    id: configuration.id,
    name: configuration.name,
    organization_id: configuration.organizationId,
    is_system: isSystem,
    is_system_default: isSystem,
    provider: configuration.provider,
    model: configuration.model,
    description: configuration.description,
    temperature: configuration.temperature,
    max_output_tokens: configuration.maxOutputTokens,
    max_tokens: configuration.maxOutputTokens,
    timeout_seconds: configuration.timeoutSeconds,
    additional_params: { ...configuration.additionalParams },
    is_computer_use_model: configuration.isComputerUseModel,
    is_archived: false,
    api_key: null,
    created_at: configuration.createdAt,
    updated_at: configuration.updatedAt,
  };
}
