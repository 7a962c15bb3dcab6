import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryAttachmentStore } from "../../support/fakes/in-memory-attachment-store.ts";
import { InMemoryClaimStore } from "../../support/fakes/in-memory-claim-store.ts";
import { InMemoryRunStore } from "../../support/fakes/in-memory-run-store.ts";
import { attachmentStoreSuite } from "../../support/ports/attachment-store.suite.ts";

attachmentStoreSuite(() => {
  const clock = new FakeClock();
  const claims = new InMemoryClaimStore(clock);
  const runs = new InMemoryRunStore(claims, () => true);
  return {
    runs,
    claims,
    attachments: new InMemoryAttachmentStore(claims, runs, clock),
    putRun: async (run) => runs.write(run),
    nowMs: () => clock.now(),
    advance: (ms) => clock.advance(ms),
  };
});
