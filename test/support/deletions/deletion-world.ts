import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createProjector } from "../../../functions/projector/app.ts";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import { unnamedAgeMs } from "../../../shared/domain/maintenance/unnamed/remove-unnamed.ts";
import { removeUnnamedSecrets } from "../../../shared/domain/maintenance/unnamed/remove-unnamed-secrets.ts";
import { createWaitingRuns } from "../../../shared/domain/run/waiting/cancel-waiting-runs.ts";
import { ownerOfSecret } from "../../../shared/secrets/secret-owner.ts";
import { readTableChange, type TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { fromAttributes, type Item } from "../../../shared/storage/table/item.ts";
import { GatewayDismissal } from "../../../shared/tunnel/gateway-dismissal.ts";
import { DynamoModel } from "../dynamo-model/dynamo-model.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { readsNothing } from "../projector-reads.ts";
import { createModelStores } from "../stores/model-stores.ts";
import { FakeSockets } from "../tunnel-world/fake-sockets.ts";
import { RecordingLogger } from "../tunnel-world/recording-logger.ts";

export type DeletionWorld = ReturnType<typeof deletionWorld>;

export function deletionWorld() {
  const clock = new FakeClock();
  const model = new DynamoModel();
  const death = { at: Number.POSITIVE_INFINITY, when: "before" as "before" | "after", calls: 0 };
  const mortal = <T extends object>(target: T, methods: readonly (keyof T)[]): T => {
    for (const method of methods) {
      const original: unknown = target[method];
      if (typeof original !== "function") throw new Error(`there is no ${String(method)}`);
      const call = async (...given: unknown[]) => {
        death.calls += 1;
        const { at, when, calls } = death;
        if (calls > at || (calls === at && when === "before")) throw new Error("the process has died");
        const answer: unknown = await Reflect.apply(original, target, given);
        if (calls === at) throw new Error("the process has died");
        return answer;
      };
      Object.assign(target, { [method]: call });
    }
    return target;
  };
  const client = mortal({ send: model.client.send } as Pick<DynamoDBClient, "send">, ["send"]);
  const onModel = createModelStores({ clock, model, client });
  const { files, secrets } = onModel;
  mortal(files, ["remove"]);
  mortal(secrets, ["remove"]);
  const sockets = mortal(new FakeSockets(), ["post", "disconnect"]);
  const logger = new RecordingLogger();
  const stores = {
    ...onModel,
    waitingRuns: createWaitingRuns({ runs: onModel.runs, clock }),
    secretOwner: (name: string) => ownerOfSecret("test", name),
    dismissal: new GatewayDismissal(sockets),
    sockets,
    logger,
  };
  const project = createProjector<TableStreamRecord>({
    ...stores,
    ...readsNothing,
    // A dead process returns no result, so the stream delivers the batch again.
    isPassing: () => true,
    readChange: readTableChange,
  });
  const backlog: TableStreamRecord[] = [];
  return {
    ...stores,
    deletedAt: isoTimestamp(clock.now()),
    /** Takes the stream's records since the last call. */
    takeRecords: () => model.takeRecords(),
    /**
     * Projects the records and those that follow from them; a batch with failures is delivered again by the next call.
     *
     * @returns how many records failed.
     */
    async project(records: readonly TableStreamRecord[]): Promise<number> {
      backlog.push(...records);
      for (; backlog.length > 0; backlog.splice(0, Number.POSITIVE_INFINITY, ...model.takeRecords())) {
        const { batchItemFailures } = await project({ Records: backlog });
        if (batchItemFailures.length > 0) return batchItemFailures.length;
      }
      return 0;
    },
    async sweepSecrets(): Promise<void> {
      clock.advance(unnamedAgeMs + 1);
      await removeUnnamedSecrets(stores);
    },
    /** @returns how many calls leave the process meanwhile. */
    async countCalls(work: () => Promise<unknown>): Promise<number> {
      death.calls = 0;
      await work();
      return death.calls;
    },
    dieAt(call: number, when: "before" | "after"): void {
      Object.assign(death, { at: call, when, calls: 0 });
    },
    live(): void {
      death.at = Number.POSITIVE_INFINITY;
    },
    /** Everything stored, except fields that are new with each write and the cursors of sweeps. */
    state: () => ({
      rows: [...model.items.all()]
        .map((item): Item => ({ ...fromAttributes(item), write_id: undefined }))
        .filter(({ kind }) => kind !== "sweep_cursor")
        .sort((one, other) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1)),
      files: [...stores.files.keys()].sort(),
      secrets: [...stores.secrets.names()].sort(),
    }),
  };
}
