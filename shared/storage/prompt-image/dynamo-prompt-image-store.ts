import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { type PromptImage, promptImagesMax } from "../../domain/prompt-image/prompt-image.ts";
import type { PromptImageStore } from "../../domain/prompt-image/prompt-image-deps.ts";
import { imageTypes } from "../../vocabulary/files.ts";
import { IdempotentStore } from "../idempotency/idempotent-store.ts";
import { listedCountWrite } from "../table/counters.ts";
import { isNew, isThere, put, remove, type Write } from "../table/expression.ts";
import type { Key } from "../table/item.ts";
import { listedKey, listedPartition, listedRange } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { number, oneOf, row, tenant, text } from "../table/row.ts";

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

export class DynamoPromptImageStore extends IdempotentStore implements PromptImageStore {
  async find(organizationId: OrganizationId, id: string): Promise<PromptImage | undefined> {
    const item = await this.table.get(keyOf({ organizationId, id }));
    return item && imageRow.parse(item);
  }

  async findMany(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly PromptImage[]> {
    const keys = [...new Set(ids)].map((id) => keyOf({ organizationId, id }));
    return (await this.table.batchGet(keys)).map(imageRow.parse);
  }

  async list(organizationId: OrganizationId, { skip, limit }: PageRequest): Promise<Page<PromptImage>> {
    const partition = listedPartition(organizationId, "PROMPT_IMAGES");
    // Images are few and small, so all are read for the total.
    const items = await queryItems(this.table, { partition, ...listedRange, isDescending: true });
    return { items: items.slice(skip, skip + limit).map(imageRow.parse), total: items.length };
  }

  async create(image: PromptImage, idempotency?: Idempotency): Promise<"created" | "limit_reached"> {
    const { failed } = await this.transact(idempotency, image, {
      limit: count(image.organizationId, 1),
      image: put({ ...keyOf(image), ...imageRow.write(image) }, isNew),
    });
    if (failed === "image") throw new Error("a prompt image with this id is there already");
    return failed === "limit" ? "limit_reached" : "created";
  }

  async remove(image: PromptImage, idempotency?: Idempotency): Promise<boolean> {
    const { failed } = await this.transact(idempotency, null, {
      image: remove(keyOf(image), isThere),
      count: count(image.organizationId, -1),
    });
    return failed === undefined;
  }
}

function count(organizationId: OrganizationId, by: 1 | -1): Write {
  return listedCountWrite(organizationId, "PROMPT_IMAGES", by, promptImagesMax);
}

function keyOf({ organizationId, id }: Pick<PromptImage, "organizationId" | "id">): Key {
  return listedKey(organizationId, "PROMPT_IMAGES", id);
}
