import { DynamoAttachmentStore } from "../../../shared/storage/attachment/dynamo-attachment-store.ts";
import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoRunStore } from "../../../shared/storage/run/dynamo-run-store.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { attachmentStoreSuite } from "../../support/ports/attachment-store.suite.ts";

const table = useTable();

attachmentStoreSuite(() => {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    attachments: new DynamoAttachmentStore({ table: dynamo, clock }),
    runs: new DynamoRunStore({ table: dynamo, clock }),
    idempotencyRecords: new DynamoIdempotencyStore({ table: dynamo, clock }),
    putRun: async (run) => {
      await dynamo.put(runItem(run));
    },
    nowMs: () => clock.now(),
    advance: (ms) => clock.advance(ms),
  };
});
