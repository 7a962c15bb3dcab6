import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryAttachmentStore } from "../../support/fakes/in-memory-attachment-store.ts";
import { InMemoryIdempotencyStore } from "../../support/fakes/in-memory-idempotency-store.ts";
import { InMemoryRunStore } from "../../support/fakes/in-memory-run-store.ts";
import { attachmentStoreSuite } from "../../support/ports/attachment-store.suite.ts";

attachmentStoreSuite(() => {
  const clock = new FakeClock();
  const idempotencyRecords = new InMemoryIdempotencyStore(clock);
  const runs = new InMemoryRunStore(idempotencyRecords, () => true);
  return {
    runs,
    idempotencyRecords,
    attachments: new InMemoryAttachmentStore(idempotencyRecords, runs, clock),
    putRun: async (run) => runs.write(run),
    nowMs: () => clock.now(),
    advance: (ms) => clock.advance(ms),
  };
});
