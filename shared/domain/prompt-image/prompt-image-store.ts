import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Page, PageRequest } from "../page.ts";
import type { PromptImage } from "./prompt-image.ts";

export interface PromptImageStore {
  find(organizationId: OrganizationId, id: string): Promise<PromptImage | undefined>;
  /** Returns the existing ones, unordered. */
  findMany(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly PromptImage[]>;
  /** Newest first. */
  list(organizationId: OrganizationId, page: PageRequest): Promise<Page<PromptImage>>;
  create(image: PromptImage, idempotency?: Idempotency): Promise<"created" | "limit_reached">;
  /** False when it is not there any more. */
  remove(image: PromptImage, idempotency?: Idempotency): Promise<boolean>;
}
