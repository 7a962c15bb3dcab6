import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import {
  modelConfigurationsMax,
  type OwnConfiguration,
} from "../../domain/model-configuration/model-configuration.ts";
import type {
  CreateConfigurationOutcome,
  ModelConfigurationChange,
  ModelConfigurationStore,
  RemoveConfigurationOutcome,
  UpdateConfigurationOutcome,
} from "../../domain/model-configuration/model-configuration-store.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { updateEntity, writeAsRead } from "../entity/update-entity.ts";
import { IdempotentStore } from "../idempotency/idempotent-store.ts";
import { listedCountWrite } from "../table/counters.ts";
import {
  allOf,
  type Condition,
  hasValue,
  isNew,
  isThere,
  put,
  remove,
  type Write,
} from "../table/expression.ts";
import { listedKey, listedPartition, listedRange, modelConfigurationNameKey } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import {
  configurationItem,
  configurationRow,
  parseConfiguration,
  workflowCountOf,
} from "./configuration-item.ts";

type Refusal = Exclude<UpdateConfigurationOutcome, { readonly kind: "updated" }>;

const isNamedByNone: Condition = {
  expression: "(attribute_not_exists(workflow_count) OR workflow_count = :none)",
  values: { none: 0 },
};

export class DynamoModelConfigurationStore extends IdempotentStore implements ModelConfigurationStore {
  async findMany(
    organizationId: OrganizationId,
    ids: readonly string[],
  ): Promise<readonly OwnConfiguration[]> {
    const keys = [...new Set(ids)].map((id) => listedKey(organizationId, "MODEL_CONFIGURATIONS", id));
    return (await this.table.batchGet(keys)).map(parseConfiguration);
  }

  async list(organizationId: OrganizationId): Promise<readonly OwnConfiguration[]> {
    const partition = listedPartition(organizationId, "MODEL_CONFIGURATIONS");
    return (await queryItems(this.table, { partition, ...listedRange })).map(parseConfiguration);
  }

  async create(
    configuration: OwnConfiguration,
    idempotency?: Idempotency,
  ): Promise<CreateConfigurationOutcome> {
    const { organizationId } = configuration;
    const { failed, failures } = await this.transact(idempotency, configuration, {
      name: takeName(configuration),
      limit: count(organizationId, 1),
      configuration: put(configurationItem(configuration), isNew),
    });
    switch (failed) {
      case undefined:
        return { kind: "created" };
      case "name":
        return { kind: "name_taken", id: String(failures.item("name")?.holder_id) };
      case "limit":
        return { kind: "limit_reached" };
      case "configuration":
        throw new Error("a model configuration with this id is there already");
    }
  }

  async update(
    organizationId: OrganizationId,
    id: string,
    change: ModelConfigurationChange,
    idempotency?: Idempotency,
  ): Promise<UpdateConfigurationOutcome> {
    const outcome = await updateEntity<OwnConfiguration, Refusal, "name" | "freedName">(this.deps, {
      what: "the model configuration",
      key: listedKey(organizationId, "MODEL_CONFIGURATIONS", id),
      parse: parseConfiguration,
      change,
      write: configurationRow.change(change),
      idempotency,
      condition: isThere,
      refuse: (current) => (current ? undefined : { kind: "not_found" }),
      beside:
        change.name === undefined
          ? undefined
          : (before, after) =>
              before.name === after.name ? {} : { name: takeName(after), freedName: freeName(before) },
      refuseBeside: async (failures) => {
        const holder = failures.item("name")?.holder_id;
        return holder === undefined ? undefined : { kind: "name_taken", id: String(holder) };
      },
    });
    return outcome.kind === "updated" ? { kind: "updated", configuration: outcome.entity } : outcome;
  }

  async remove(
    organizationId: OrganizationId,
    id: string,
    idempotency?: Idempotency,
  ): Promise<RemoveConfigurationOutcome> {
    const key = listedKey(organizationId, "MODEL_CONFIGURATIONS", id);
    const of = { what: "the model configuration", idempotency };
    return await writeAsRead<RemoveConfigurationOutcome>(this.deps, of, async () => {
      const item = await this.table.get(key);
      if (item === undefined) return { refused: { kind: "not_found" } };
      const workflowCount = workflowCountOf(item);
      if (workflowCount > 0) return { refused: { kind: "named", workflowCount } };
      const { name, revision } = parseConfiguration(item);
      // A name given since would stay taken.
      const asRead = hasValue("revision", revision);
      return {
        parts: {
          configuration: remove(key, allOf(asRead, isNamedByNone)),
          name: freeName({ organizationId, id, name }),
          count: count(organizationId, -1),
        },
        outcome: { kind: "removed" },
        result: null,
      };
    });
  }
}

type Named = Pick<OwnConfiguration, "organizationId" | "id" | "name">;

function takeName({ organizationId, id, name }: Named): Write {
  const key = modelConfigurationNameKey(organizationId, name);
  return put({ ...key, kind: "model_configuration_name", holder_id: id }, isNew);
}

function freeName({ organizationId, id, name }: Named): Write {
  const condition = hasValue("holder_id", id);
  return remove(modelConfigurationNameKey(organizationId, name), condition);
}

function count(organizationId: OrganizationId, by: 1 | -1): Write {
  return listedCountWrite(organizationId, "MODEL_CONFIGURATIONS", by, modelConfigurationsMax);
}
