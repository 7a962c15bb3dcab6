import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Page, PageRequest } from "../page.ts";
import type { PromptImage } from "./prompt-image.ts";

export interface PromptImageStore {
  find(organizationId: OrganizationId, id: string): Promise<PromptImage | undefined>;
  /** The existing ones, unordered: one batch read, none for no ids. */
  findMany(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly PromptImage[]>;
  /** Newest first: one query. */
  list(organizationId: OrganizationId, page: PageRequest): Promise<Page<PromptImage>>;
  /** Image, count and any idempotency record in one transaction. @throws {AlreadyOnRecord} */
  create(image: PromptImage, idempotency?: Idempotency): Promise<"created" | "limit_reached">;
  /** False when it is not there any more. @throws {AlreadyOnRecord} */
  remove(image: PromptImage, idempotency?: Idempotency): Promise<boolean>;
}
