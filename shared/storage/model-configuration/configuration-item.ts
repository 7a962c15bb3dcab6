import type { JsonObject } from "../../domain/json.ts";
import {
  choiceDefaults,
  configurationDefaults,
  type OwnConfiguration,
} from "../../domain/model-configuration/model-configuration.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { CoveredProvider } from "../../vocabulary/providers.ts";
import { isThere, update, type Write } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { listedKey } from "../table/keys.ts";
import { type Field, flag, json, number, orElse, orNull, revisedFields, row, text } from "../table/row.ts";

export const configurationRow = row<OwnConfiguration>("model_configuration", {
  ...revisedFields,
  name: text,
  description: text,
  isComputerUseModel: orElse(flag, configurationDefaults.isComputerUseModel),
  // A configuration stays readable when its provider is no longer covered.
  provider: text as Field<CoveredProvider>,
  model: text,
  temperature: orNull(number),
  maxOutputTokens: orNull(number),
  timeoutSeconds: number,
  additionalParams: orElse(json<JsonObject>(), choiceDefaults.additionalParams),
  updatedAt: text,
});

export const parseConfiguration = configurationRow.parse;

export function configurationItem(configuration: OwnConfiguration): Item & Key {
  return {
    ...listedKey(configuration.organizationId, "MODEL_CONFIGURATIONS", configuration.id),
    ...configurationRow.write(configuration),
  };
}

/** Deleted workflows count until they are removed. */
export function workflowCountOf(item: Item): number {
  return typeof item.workflow_count === "number" ? item.workflow_count : 0;
}

/** A configuration that workflows name cannot be removed, so decrementing needs no condition. */
export function countWorkflow(organizationId: OrganizationId, configurationId: string, by: 1 | -1): Write {
  const key = listedKey(organizationId, "MODEL_CONFIGURATIONS", configurationId);
  return update(key, { add: { workflow_count: by } }, by === 1 ? isThere : undefined);
}
