import type { Clock, Ids } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import type { IdempotencyStore } from "../idempotency/idempotency.ts";
import type { Logger } from "../logger.ts";
import type { AttachmentStore } from "./attachment-store.ts";

export interface AttachmentDeps {
  readonly attachments: AttachmentStore;
  readonly files: FileStore;
  readonly idempotencyRecords: IdempotencyStore;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
  readonly logger: Logger;
}
