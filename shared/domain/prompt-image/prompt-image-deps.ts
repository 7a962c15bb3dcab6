import type { Clock, Ids } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { FileStore } from "../file-store.ts";
import type { LeaseDeps } from "../idempotency/with-lease.ts";
import type { PromptImageStore } from "./prompt-image-store.ts";

export interface PromptImageDeps extends LeaseDeps {
  readonly promptImages: PromptImageStore;
  readonly files: Pick<FileStore, "spillKey" | "put" | "remove" | "presignGet">;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
}

export function promptImageNotFound(id: string): DomainError {
  return new DomainError("not_found", `there is no prompt image ${id}`);
}
