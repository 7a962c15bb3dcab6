import { dayOf } from "../../domain/clock.ts";
import { type ModelTokens, modelsOfRunMax } from "../../domain/model/model-tokens.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { CountedRun, Usage, UsageRange, UsageStore } from "../../domain/usage/usage.ts";
import { stepKinds } from "../../vocabulary/run-steps.ts";
import { terminalRunStatuses } from "../../vocabulary/runs.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import { isNew, put, update } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { countedEndKey, modelUsageKey, usageKey, usagePartition, usageRange } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";

/** The mark outlives every repeat of a stream's record. */
const markSeconds = 7 * 24 * 3_600;

export class DynamoUsageStore extends DynamoStore implements UsageStore {
  async count(run: CountedRun): Promise<void> {
    const { organizationId, id, attempt, status, endedAt, executor, usageMetadata, modelTokens } = run;
    const endedMs = Date.parse(endedAt ?? "");
    if (Number.isNaN(endedMs)) return;
    // A worker's own figures are not counted.
    const own = executor === "service" ? usageMetadata : null;
    const steps = stepKinds.flatMap((kind) => {
      const taken = own?.[`${kind}_steps`];
      return typeof taken === "number" && taken > 0 ? [[`${kind}_steps`, taken] as const] : [];
    });
    const day = dayOf(endedMs);
    // A failed condition means that the end is counted already.
    const ttl = Math.ceil(endedMs / 1_000) + markSeconds;
    await this.table.transact({
      mark: put({ ...countedEndKey(organizationId, id, attempt), kind: "counted_end", ttl }, isNew),
      usage: update(usageKey(organizationId, day, id), {
        set: { kind: "usage" },
        add: { [status]: 1, ...Object.fromEntries(steps) },
      }),
      models: modelTokens
        .slice(0, modelsOfRunMax)
        .map(({ provider, model, inputTokens, outputTokens, cachedTokens }) =>
          update(modelUsageKey(organizationId, day, id, { provider, model }), {
            set: { kind: "usage_model", provider, model },
            add: { input_tokens: inputTokens, output_tokens: outputTokens, cached_tokens: cachedTokens },
          }),
        ),
    });
  }

  async read(organizationId: OrganizationId, range: UsageRange): Promise<Usage> {
    const rows = await queryItems(this.table, {
      partition: usagePartition(organizationId),
      ...usageRange(range.fromDate, range.toDate),
    });
    const sum = (name: string) => rows.reduce((total, row) => total + numberIn(row, name), 0);
    const sums = <Name extends string>(names: readonly Name[], suffix = "") =>
      Object.fromEntries(names.map((name) => [name, sum(name + suffix)])) as Record<Name, number>;
    return { runs: sums(terminalRunStatuses), steps: sums(stepKinds, "_steps"), tokens: tokensIn(rows) };
  }
}

function tokensIn(rows: readonly Item[]): readonly ModelTokens[] {
  const byModel = new Map<string, ModelTokens>();
  for (const row of rows) {
    if (row.kind !== "usage_model") continue;
    const name = `${row.provider} ${row.model}`;
    const before = byModel.get(name);
    byModel.set(name, {
      provider: row.provider as ModelTokens["provider"],
      model: String(row.model),
      inputTokens: (before?.inputTokens ?? 0) + numberIn(row, "input_tokens"),
      outputTokens: (before?.outputTokens ?? 0) + numberIn(row, "output_tokens"),
      cachedTokens: (before?.cachedTokens ?? 0) + numberIn(row, "cached_tokens"),
    });
  }
  return [...byModel.values()].sort((one, other) => totalOf(other) - totalOf(one));
}

function totalOf({ inputTokens, outputTokens }: ModelTokens): number {
  return inputTokens + outputTokens;
}

function numberIn(row: Item, name: string): number {
  const value = row[name];
  return typeof value === "number" ? value : 0;
}
