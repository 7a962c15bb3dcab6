import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { imageTypes, type PromptImage, promptImagesMax } from "../../domain/prompt-image/prompt-image.ts";
import type { PromptImageStore } from "../../domain/prompt-image/prompt-image-store.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { isNew, isThere, type Write } from "../table/expression.ts";
import { listedRange, promptImageCountKey, promptImageKey, promptImagePartition } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { number, oneOf, row, tenant, text } from "../table/row.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";

const imageRow = row<PromptImage>("prompt_image", {
  id: text,
  organizationId: tenant,
  userId: text,
  filename: text,
  contentType: oneOf(imageTypes),
  sizeBytes: number,
  key: text,
  createdAt: text,
});

export class DynamoPromptImageStore extends DynamoStore<StoreDeps> implements PromptImageStore {
  async find(organizationId: OrganizationId, id: string): Promise<PromptImage | undefined> {
    const item = await this.table.get(promptImageKey(organizationId, id));
    return item && imageRow.parse(item);
  }

  async findMany(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly PromptImage[]> {
    const keys = [...new Set(ids)].map((id) => promptImageKey(organizationId, id));
    return (await this.table.batchGet(keys)).map(imageRow.parse);
  }

  async list(organizationId: OrganizationId, { skip, limit }: PageRequest): Promise<Page<PromptImage>> {
    const partition = promptImagePartition(organizationId);
    // All of them are few and small, and are the total as well.
    const items = await queryItems(this.table, { partition, ...listedRange, isDescending: true });
    return { items: items.slice(skip, skip + limit).map(imageRow.parse), total: items.length };
  }

  async create(image: PromptImage, idempotency?: Idempotency): Promise<"created" | "limit_reached"> {
    const { organizationId, id } = image;
    const outcome = await transactIdempotent(
      this.table,
      [
        {
          kind: "put",
          item: { ...promptImageKey(organizationId, id), ...imageRow.write(image) },
          condition: isNew,
        },
        count(organizationId, 1),
      ],
      { idempotency, result: image, nowMs: this.deps.clock.now() },
    );
    if (outcome.kind === "written") return "created";
    if (outcome.failed.has(1)) return "limit_reached";
    throw new Error("a prompt image with this id is there already");
  }

  async remove({ organizationId, id }: PromptImage, idempotency?: Idempotency): Promise<boolean> {
    const outcome = await transactIdempotent(
      this.table,
      [
        { kind: "delete", key: promptImageKey(organizationId, id), condition: isThere },
        count(organizationId, -1),
      ],
      { idempotency, result: null, nowMs: this.deps.clock.now() },
    );
    return outcome.kind === "written";
  }
}

function count(organizationId: OrganizationId, by: 1 | -1): Write {
  const change = { set: { kind: "prompt_image_count" }, add: { count: by } };
  const condition = {
    expression: "attribute_not_exists(count) OR count < :max",
    values: { max: promptImagesMax },
  };
  const key = promptImageCountKey(organizationId);
  return { kind: "update", key, change, ...(by === 1 && { condition }) };
}
