import type { Clock, Ids } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { LeaseDeps } from "../idempotency/with-lease.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Page, PageRequest } from "../page.ts";
import type { PromptImage } from "./prompt-image.ts";

export interface PromptImageStore {
  find(organizationId: OrganizationId, id: string): Promise<PromptImage | undefined>;
  /** Returns the existing ones, unordered. */
  findMany(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly PromptImage[]>;
  /** Lists newest first. */
  list(organizationId: OrganizationId, page: PageRequest): Promise<Page<PromptImage>>;
  create(image: PromptImage, idempotency?: Idempotency): Promise<"created" | "limit_reached">;
  /** Returns false when the image no longer exists. */
  remove(image: PromptImage, idempotency?: Idempotency): Promise<boolean>;
}

export interface PromptImageDeps extends LeaseDeps {
  readonly promptImages: PromptImageStore;
  readonly files: Pick<FileStore, "spillKey" | "put" | "remove" | "presignGet">;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
}
